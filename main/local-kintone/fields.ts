export * from "./fields/index.ts";
