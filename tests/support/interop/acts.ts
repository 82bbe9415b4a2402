import type { Env, Program, ProgramEnd } from "./program.ts";
import { jsonOf } from "./program.ts";
import type { InteropRig } from "./rig.ts";

/** What `run-network --json` says (orchestration section 9.2). */
export interface RunSaid {
  readonly outcome: unknown;
  readonly runId: string;
  readonly aggregate: unknown;
  readonly code: unknown;
  readonly exitCode: number | null;
}

function said(end: ProgramEnd): RunSaid {
  const { outcome, run_id, aggregate_status, invocation_result_code } = jsonOf(end);
  return {
    outcome,
    runId: String(run_id),
    aggregate: aggregate_status,
    code: invocation_result_code,
    exitCode: end.exitCode,
  };
}

/** The commands of orchestration section 9.1 on one rig, by either program, with every required argument. */
export function createActs({ reasonFile }: Pick<InteropRig, "reasonFile">) {
  const why = ["--reason-file", reasonFile];
  const stop = ["--evidence-ref", "INC-1", "--stop-confirmed-by", "tanaka", "--stop-evidence-ref", "ps"];
  return {
    create: async (by: Program, file: string, key: string, env?: Env): Promise<RunSaid> =>
      said(await by.run(["run-network", file, "--business-key", key, "--json"], env)),
    resume: async (by: Program, file: string, runId: string, from?: string): Promise<RunSaid> => {
      const rerun = from === undefined ? [] : ["--rerun-from", from];
      return said(await by.run(["run-network", file, "--resume-run", runId, ...rerun, "--json"]));
    },
    hold: (by: Program, runId: string): Promise<ProgramEnd> =>
      by.run(["cancel-run", "--run-id", runId, ...why]),
    release: (by: Program, runId: string): Promise<ProgramEnd> =>
      by.run(["cancel-run", "--run-id", runId, "--release", ...why]),
    close: (by: Program, file: string, runId: string): Promise<ProgramEnd> =>
      by.run(["archive-run", file, "--run-id", runId, ...why]),
    unlock: (by: Program, networkId: string, owner: string, method = "manual", env?: Env) =>
      by.run(
        [
          ...["force-unlock-network", networkId, "--profile", "local"],
          ...["--expected-owner-invocation-id", owner, ...why, ...stop, "--stop-method", method],
        ],
        env,
      ),
    resolve: (by: Program, runId: string, nodeId: string, to: "SUCCESS" | "FAILED" | "CANCELLED") =>
      by.run([
        ...["resolve-node", "--run-id", runId, "--node-id", nodeId, "--to", to, ...why, ...stop],
        ...(to === "SUCCESS" ? ["--manual-completion"] : []),
        ...["--approved-by", "suzuki"],
      ]),
  };
}
