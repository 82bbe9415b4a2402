import type { KintoneResponse } from "../model.ts";
import type { UploadedFile } from "../storage/files.ts";
import type { Locale } from "./locale.ts";
import type { Result } from "./record-endpoints.ts";
import { jsonResponse } from "./respond.ts";
import type { Call, Services } from "./services.ts";

/** One call on its way to its endpoint. */
export interface Context {
  readonly services: Services;
  readonly call: Call;
  readonly locale: Locale;
  readonly upload: UploadedFile | null;
}
export type Handler = (context: Context) => KintoneResponse;
export type Endpoint = (services: Services, call: Call) => Result;
/** Handlers of one path by method. */
export type Methods = Readonly<Record<string, Handler>>;

/** An endpoint that assembles its JSON itself. */
export const read =
  (endpoint: (services: Services, call: Call) => string | Uint8Array): Handler =>
  ({ services, call }) =>
    jsonResponse(200, endpoint(services, call));

export const show =
  (endpoint: Endpoint): Handler =>
  ({ services, call }) =>
    jsonResponse(200, JSON.stringify(endpoint(services, call)));

/** One write, one immediate transaction (kintone-rest §7). */
export const write =
  (endpoint: Endpoint): Handler =>
  ({ services, call }) =>
    jsonResponse(200, JSON.stringify(services.database.write(() => endpoint(services, call))));

/** A write that may touch apps or deploys: what is kept in memory of them follows the file, whatever became of it. */
export const configure =
  (endpoint: Endpoint): Handler =>
  (context) => {
    try {
      return write(endpoint)(context);
    } finally {
      context.services.apps.refresh();
      context.services.deploys.refresh(0);
    }
  };
