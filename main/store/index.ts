export { type AppIds, createKintoneStore, type KintoneStoreDeps } from "./kintone/index.ts";
export type * from "./ports.ts";
