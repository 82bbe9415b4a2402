import { resolve } from "node:path";
import type { Workspace } from "../../console/index.ts";
import type { RunNetworkInput, RunNetworkResult } from "../../orchestrator/index.ts";
import type { ParsedArguments } from "../arguments.ts";
import { warnOfClock } from "../clock-warning.ts";
import type { CliContext, Command } from "../command.ts";
import { abandonedProblem, followLocks, type HeldLocks, type RunUnderWay } from "../held-locks.ts";
import { problemOf, problemText } from "../problem-text.ts";
import { nodesText } from "../render-nodes.ts";
import { rejected, runExitCode, runJson, runText } from "../render-run.ts";
import { LATER_REQUEST, type StopWords } from "../stopping.ts";
import { DRY_RUN, dryRun, isDryRun, SEEN, seenIn } from "./planning.ts";

const FALLBACK = "RUN_NETWORK_FAILED";

/** `run-network`: starts or resumes a Run and stays until it ends (orchestration sections 2, 4 and 9). */
export const runNetwork: Command = {
  spec: {
    name: "run-network",
    summary: "Starts the Run of a business key and waits for its end.",
    positional: { name: "network.yaml", text: "the network definition" },
    options: [
      { name: "--scheduled-for", value: "time", text: "ISO-8601 with an offset: the period this Run is for" },
      { name: "--business-key", value: "key", text: "the key itself" },
      { name: "--resume", value: null, text: "go on with an unfinished Run of that key" },
      {
        name: "--resume-run",
        value: "run id",
        text: "go on with this Run",
        excludes: ["--resume", "--scheduled-for", "--business-key"],
      },
      {
        name: "--rerun-from",
        value: "node",
        text: "run this node and all after it again",
        needsOneOf: ["--resume", "--resume-run"],
      },
      { name: "--json", value: null, text: "one line of JSON on stdout; with --dry-run the plan" },
      DRY_RUN,
      SEEN,
      { name: "--ksql-flow-bin", value: "path", text: "the runner, instead of the configured one" },
      { name: "--ksql-flow-config", value: "path", text: "the runner's configuration" },
      { name: "--ksql-flow-workdir", value: "folder", text: "the runner's working folder" },
    ],
    example:
      "flownet run-network examples/monthly-summary/network.yaml --scheduled-for 2026-09-01T00:00:00+09:00 --json",
  },
  fallbackCode: FALLBACK,
  onArgumentError(argv, context) {
    if (argv.includes("--json")) context.out(runJson(rejected("INVALID_ARGUMENTS")));
  },
  async run(args, context) {
    if (isDryRun(args)) return planRun(args, context);
    const result = await attemptRun(args, context);
    if (result.problem !== null) context.err(problemText(result.problem));
    const text = args.flags.has("--json") ? runJson(result) : runText(result);
    if (text !== null) context.out(text);
    const exitCode = runExitCode(result);
    const nodes = exitCode === 0 ? "" : nodesText(result);
    if (nodes !== "") context.err(nodes);
    return exitCode;
  },
};

/** The plan of the same arguments; nothing is started and nothing written. */
async function planRun(args: ParsedArguments, context: CliContext): Promise<number> {
  const workspace = await openFor(args, context);
  try {
    const { requestedBy } = workspace;
    const { signal: _signal, ...input } = runInput(args, context);
    return await dryRun(workspace, args, context, { kind: "run-network", input: { ...input, requestedBy } });
  } finally {
    await workspace.dispose();
  }
}

async function openFor(args: ParsedArguments, context: CliContext): Promise<Workspace> {
  const { openWorkspace } = await import("../../console/index.ts");
  return openWorkspace({
    dataDir: await context.dataDir(),
    env: context.env,
    signal: context.signal,
    runner: runnerOverrides(args, context),
  });
}

/** The records of a kept plan; whether it is of this very Run is told by the records themselves. */
const seenOf = (args: ParsedArguments, context: CliContext) => {
  const rerunFrom = args.values["--rerun-from"];
  return seenIn(args, context, {
    operations: rerunFrom === undefined ? ["START", "RESUME"] : ["RERUN_FROM"],
    subject: { nodeId: rerunFrom ?? null },
  });
};

/** A workspace that cannot be opened is a refusal like any other: the caller still gets its object. */
async function attemptRun(args: ParsedArguments, context: CliContext): Promise<RunNetworkResult> {
  let held: HeldLocks["held"] = () => [];
  context.onStop(stopWords(() => held(), args.flags.has("--json")));
  try {
    const seen = await seenOf(args, context);
    const workspace = await openFor(args, context);
    try {
      const locks = followLocks(workspace.orchestrator);
      held = locks.held;
      return await locks.runNetwork({ ...runInput(args, context), requestedBy: workspace.requestedBy, seen });
    } finally {
      warnOfClock(workspace, context);
      await workspace.dispose();
    }
  } catch (error) {
    const problem = problemOf(error, FALLBACK);
    return { ...rejected(problem.code), problem };
  }
}

function stopWords(locks: HeldLocks["held"], json: boolean): StopWords {
  return {
    stopping: () =>
      locks().length === 0
        ? `Stopping before anything is started; ${LATER_REQUEST}.`
        : `Stopping after the running node; ${LATER_REQUEST} and leaves the lock held.`,
    abandoned() {
      const held = locks();
      const problem = abandonedProblem(held);
      return { problem, out: json ? runJson(abandoned(held)) : null };
    },
  };
}

/** A Run that exists is told, so that its caller does not take it for one that was never started. */
function abandoned([underWay]: readonly RunUnderWay[]): RunNetworkResult {
  const refused = rejected("ABANDONED");
  if (underWay === undefined) return refused;
  const { runId, lock } = underWay;
  return {
    ...refused,
    outcome: runId === null ? "REJECTED" : "NEW",
    runId,
    invocationId: lock.ownerInvocationId,
  };
}

function runInput(args: ParsedArguments, context: CliContext): Omit<RunNetworkInput, "requestedBy"> {
  const { values, flags } = args;
  const scheduledFor = values["--scheduled-for"];
  const businessKey = values["--business-key"];
  const resumeRunId = values["--resume-run"];
  const rerunFrom = values["--rerun-from"];
  return {
    definitionPath: resolve(context.cwd, args.positional ?? ""),
    signal: context.signal,
    ...(flags.has("--resume") ? { resume: true } : {}),
    ...(scheduledFor === undefined ? {} : { scheduledFor }),
    ...(businessKey === undefined ? {} : { businessKey }),
    ...(resumeRunId === undefined ? {} : { resumeRunId }),
    ...(rerunFrom === undefined ? {} : { rerunFrom }),
  };
}

/** Paths are resolved against the current folder (orchestration section 9.3). */
function runnerOverrides(args: ParsedArguments, context: CliContext): Readonly<Record<string, string>> {
  const names = {
    "--ksql-flow-bin": "KSQL_FLOW_BIN",
    "--ksql-flow-config": "KSQL_FLOW_CONFIG",
    "--ksql-flow-workdir": "KSQL_FLOW_WORKDIR",
  };
  const given = Object.entries(names).flatMap(([option, variable]) => {
    const value = args.values[option];
    return value === undefined ? [] : [[variable, resolve(context.cwd, value)] as const];
  });
  return Object.fromEntries(given);
}
