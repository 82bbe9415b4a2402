import { FlowError } from "../../../shared/domain/problem.ts";
import {
  downloadFile,
  type KintoneAnswer,
  type ReadDeps,
  refusalProblem,
  sendRead,
  unknownProblem,
  uploadFile,
} from "../../kintone-client/index.ts";
import type { BundleStore } from "../ports.ts";

/** File name and type of the bundle's attachment (wire-format §3). */
const FILE_NAME = "execution-bundle.zip";
const FILE_TYPE = "application/zip";

function fileValue<T>(answer: KintoneAnswer<T>, what: string): T {
  if (answer.kind === "ok") return answer.value;
  const problem = answer.kind === "refused" ? refusalProblem(answer, what) : unknownProblem(answer, what);
  throw new FlowError({ ...problem, code: "BUNDLE_UPLOAD_FAILED" });
}

/**
 * Bundle transfer through the state app (wire-format §3). Both ways are safe to repeat: an upload that is not
 * attached leaves nothing in any app (kintone-rest §11), so a lost answer costs another upload (W-22).
 */
export function createBundleFiles(deps: ReadDeps, stateApp: number): BundleStore {
  return {
    async uploadBundle(zip, signal) {
      const operation = uploadFile(stateApp, { name: FILE_NAME, contentType: FILE_TYPE, bytes: zip });
      return fileValue(await sendRead(deps, operation, signal ? { signal } : {}), "upload the bundle");
    },
    async downloadBundle(fileKey, signal) {
      const operation = downloadFile(stateApp, fileKey);
      return fileValue(await sendRead(deps, operation, signal ? { signal } : {}), "download the bundle");
    },
  };
}
