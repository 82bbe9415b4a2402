import "i18next";
import type { TEXTS } from "./texts.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: (typeof TEXTS)["ja"] };
  }
}
