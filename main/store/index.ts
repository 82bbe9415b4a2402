export {
  type AppIds,
  createKintoneStore,
  createRequestStore,
  type KintoneStoreDeps,
} from "./kintone/index.ts";
export type * from "./ports.ts";
