export type { AppIds } from "./changes/encode.ts";
export { createKintoneStore, type KintoneStoreDeps } from "./store.ts";
