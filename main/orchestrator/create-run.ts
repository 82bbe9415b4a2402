import { verifyBundle } from "../../shared/bundle/index.ts";
import { activeRunProblem, type ResolvedKey } from "../../shared/domain/index.ts";
import type { Invocation, RecordRef } from "../../shared/domain/model.ts";
import { errorText, FlowError, fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import { isoNow, type OrchestratorDeps } from "./deps.ts";
import type { Held } from "./held.ts";
import type { Ledger } from "./ledger.ts";
import { type NewRecords, newRecords } from "./new-records.ts";
import { persist } from "./persist.ts";
import type { RunNetworkInput } from "./ports.ts";
import { prepareRun } from "./prepare-run.ts";
import { type UnpackedBundle, unpackBundle } from "./workspace-folder.ts";

/** Why there is no walk, and what is known of the Run that was to be created. */
export interface StartFailure {
  readonly problem: Problem;
  readonly runId: string | null;
  /** `unsettled`: its creation left, and whether it arrived is not known yet. */
  readonly run: "none" | "exists" | "unsettled";
}

/**
 * Creates the Run: everything that can be refused first, then the upload, then Run, Invocation and Node
 * States in one fenced request whose Run insert is the linearization point (orchestration section 2.1, N1 to
 * N10; fenced-writes section 3). Returns the ledger and the unpacked *stored* bundle.
 */
export async function createRun(
  deps: OrchestratorDeps,
  held: Held,
  key: ResolvedKey,
  input: RunNetworkInput,
): Promise<Result<{ readonly ledger: Ledger; readonly bundle: UnpackedBundle }, StartFailure>> {
  const { definition } = held.loaded;
  const runs = await deps.store.listRuns(
    { profile: deps.profile, networkId: definition.networkId },
    input.signal,
  );
  const tooMany = activeRunProblem(runs, key.businessKey, definition.maxActiveRuns);
  if (tooMany !== null) return fail(noRun(tooMany));
  const prepared = await prepareRun(deps, held, input.signal);
  if (!prepared.ok) return fail(noRun(prepared.error));
  const fileKey = await deps.store.uploadBundle(prepared.value.zip, input.signal);
  const records = newRecords(deps, held, key, input, prepared.value, fileKey);
  const written = await persist(held.session, records.changes);
  const { runId } = records.run;
  if (written.kind === "refused") return fail(noRun(written.problem));
  if (written.kind === "interrupted") return fail({ problem: written.problem, runId, run: "unsettled" });
  const ledger = ledgerOf(records, written.refs);
  try {
    return ok(await readBack(deps, held, ledger, prepared.value.zipSha256));
  } catch (error) {
    const problem = await closeFailedStart(held, ledger, isoNow(deps.clock), error);
    return fail({ problem, runId, run: "exists" });
  }
}

const noRun = (problem: Problem): StartFailure => ({ problem, runId: null, run: "none" });

function ledgerOf(records: NewRecords, refs: readonly RecordRef[]): Ledger {
  const refOf = (index: number): RecordRef => {
    const ref = refs[index];
    if (ref === undefined) throw new Error("the store returned fewer references than records");
    return ref;
  };
  return {
    run: { ...records.run, ref: refOf(0) },
    invocation: { ...records.invocation, ref: refOf(1) },
    states: new Map(
      records.states.map((state, index) => [state.nodeId, { ...state, ref: refOf(index + 2) }]),
    ),
  };
}

/** From here on only the stored bundle counts; the Run is read again for its download key and its minute times. */
async function readBack(
  deps: OrchestratorDeps,
  held: Held,
  ledger: Ledger,
  zipSha256: string,
): Promise<{ readonly ledger: Ledger; readonly bundle: UnpackedBundle }> {
  const run = await deps.store.findRunById(ledger.run.runId);
  if (run === null || run.bundleFileKey === null) {
    throw new FlowError({
      code: "RUN_NOT_FOUND",
      message: "The Run that was just created cannot be read back; nothing was started.",
      remedy: "Check the rights of the state app's token, then look at the Run's status.",
      details: { runId: ledger.run.runId },
    });
  }
  const zip = await deps.store.downloadBundle(run.bundleFileKey);
  const verified = verifyBundle(zip, zipSha256);
  if (!verified.ok) throw new FlowError(verified.error);
  return {
    ledger: { ...ledger, run },
    bundle: await unpackBundle(deps.workDir, held.invocationId, verified.value),
  };
}

/** The Run stays, resumable; its Invocation says what happened, and the lock goes back in the same request. */
export async function closeFailedStart(
  held: Held,
  ledger: Ledger,
  at: string,
  error: unknown,
): Promise<Problem> {
  const problem: Problem =
    error instanceof FlowError
      ? error.problem
      : {
          code: "ENSURE_RUN_FAILED",
          message: errorText(error),
          place: `Run ${ledger.run.runId}`,
          remedy: "Look at the Run's status, then resume it.",
        };
  const { ref, ...invocation } = ledger.invocation;
  const next: Invocation = { ...invocation, status: "FAILED", resultCode: problem.code, finishedAt: at };
  const details = { ...problem.details, runId: ledger.run.runId };
  try {
    const closed = await held.session.write([{ kind: "invocation.finalise", ref, next }], {
      release: { status: "FAILED", resultCode: "ENSURE_RUN_FAILED" },
    });
    if (closed.kind === "applied") return { ...problem, details };
    return { ...problem, details: { ...details, endNotWritten: closed.problem.code } };
  } catch (defect) {
    // The Run exists whatever stands in the way of its Invocation's end.
    return { ...problem, details: { ...details, endNotWritten: errorText(defect) } };
  }
}
