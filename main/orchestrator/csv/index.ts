export {
  type Baselines,
  checkRetriedInputs,
  mutatedInput,
  newestBaseline,
  retentionProblem,
} from "./baselines.ts";
export { readInputs } from "./input-files.ts";
export { type IoFacts, type IoPath, type NodeIo, resolveIo } from "./io-paths.ts";
export { type IoRoot, type IoSettings, openIoRoot } from "./io-root.ts";
export { finalErrorMessage, type NodeFiles, prepareNodeFiles, usesFiles } from "./node-files.ts";
