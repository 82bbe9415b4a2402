import type { SavedBundle } from "../../../shared/api/index.ts";
import type { EvidenceManifest } from "../../../shared/bundle/index.ts";
import { FlowError, fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { createCollection } from "./collect.ts";
import { collectDiagnosis } from "./diagnosis.ts";
import { packBundle } from "./pack.ts";
import type { BundleDeps } from "./ports.ts";
import { collectRun } from "./run.ts";

/** What an operator hands on: the evidence of a Run, or everything about this program. */
export interface Bundles {
  /** Code `RECORD_NOT_FOUND`, `BUNDLE_HOLDS_SECRET`. */
  run(runId: string, signal?: AbortSignal): Promise<Result<SavedBundle>>;
  /** Works without a network. Code `BUNDLE_HOLDS_SECRET`. */
  diagnosis(signal?: AbortSignal): Promise<Result<SavedBundle>>;
}

/** 証跡を保存 and 診断一式を保存 (operator-ux §1.2, electron-desktop G5). Both only read. */
export function createBundles(deps: BundleDeps): Bundles {
  const { workspace } = deps;
  const { log } = workspace;
  const save = (
    name: string,
    collection: ReturnType<typeof createCollection>,
    kind: EvidenceManifest["kind"],
    subject: EvidenceManifest["subject"],
  ): Result<SavedBundle> => {
    const packed = packBundle(collection, { ...headOf(deps), kind, subject }, log.leaks);
    if (!packed.ok) return packed;
    const { bytes, manifest } = packed.value;
    const file = deps.files.keep({ name, type: "application/zip", bytes });
    return ok({ file, files: manifest.files.length + 1, gaps: manifest.gaps.length });
  };
  const stamp = (): string => new Date(deps.nowMs()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return {
    async run(runId, signal) {
      const collection = createCollection(log.clean);
      const graph = await workspace.reads.readRunGraph(runId, signal).catch((cause: unknown) => {
        // Offline, the journals and logs of this host are still evidence.
        collection.gap("records", problemIn(cause));
        return null;
      });
      if (graph !== null && graph.run === null) return fail(notFound(runId));
      await collectRun(deps, collection, runId, graph, signal);
      const businessKey = graph?.run?.businessKey ?? null;
      return save(`flownet-evidence-${stamp()}.zip`, collection, "FLOWNET_EVIDENCE", { runId, businessKey });
    },
    async diagnosis(signal) {
      const collection = createCollection(log.clean);
      await collectDiagnosis(deps, collection, signal);
      return save(`flownet-diagnosis-${stamp()}.zip`, collection, "FLOWNET_DIAGNOSIS", null);
    },
  };
}

const problemIn = (cause: unknown) =>
  cause instanceof FlowError ? cause.problem : { code: "CONSOLE_INTERNAL", message: String(cause) };

const notFound = (runId: string) => ({
  code: "RECORD_NOT_FOUND",
  message: `No Run with the id ${runId} is in the state app.`,
  place: "runId",
  remedy: "Check the id; a Run of another workspace cannot be seen from here.",
});

function headOf({ workspace, account, version, nowMs }: BundleDeps) {
  const { profile, baseUrl, host } = workspace;
  const { node, electron } = process.versions;
  return {
    formatVersion: 1 as const,
    madeAt: new Date(nowMs()).toISOString(),
    madeBy: { account: account(), host },
    program: { version, node, electron: electron ?? null, platform: `${process.platform}-${process.arch}` },
    workspace: { profile, baseUrl },
  };
}
