export { type AppIds, createKintoneStore, type KintoneStoreDeps } from "./kintone/index.ts";
export { createRequestStore } from "./kintone/lone/requests.ts";
export type * from "./ports.ts";
