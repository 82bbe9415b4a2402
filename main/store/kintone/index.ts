export type { AppIds } from "./changes/encode.ts";
export { createRequestStore } from "./lone/requests.ts";
export { createKintoneStore, type KintoneStoreDeps } from "./store.ts";
