import type { ConnectionSettings } from "../../../../shared/api/index.ts";
import type { Problem } from "../../../../shared/domain/problem.ts";
import { createRunner, type Runner } from "../../../attempt/index.ts";
import { createInspector, createProcessManager } from "../../../process/index.ts";
import type { Clock } from "../../../store/index.ts";
import { childEnvironment } from "../../environment.ts";
import { confirmed, type Finding, type Probe, person, unreadable, wrong } from "./probe.ts";

export interface RunnerProbeDeps {
  readonly connection: ConnectionSettings;
  /** Values of the runner's variables that are there. */
  readonly runnerTokens: Readonly<Record<string, string>>;
  /** Names of those that are not. */
  readonly missingTokens: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** What the runner can do, and whether its profile means the same kintone as this connection. */
export function runnerProbes(deps: RunnerProbeDeps): readonly Probe[] {
  const { runner } = deps.connection;
  const common = { group: "runner", of: null } as const;
  return [
    {
      ...common,
      id: "runnerCapabilities",
      subject: "runnerCapabilities",
      place: runner.bin,
      look: (signal) => withRunner(deps, (asked) => askCapabilities(asked, signal)),
    },
    {
      ...common,
      id: "runnerProfile",
      subject: "runnerProfile",
      place: runner.configPath,
      needs: "runnerCapabilities",
      look: (signal) => withRunner(deps, (asked) => askProfile(deps, asked, signal)),
    },
  ];
}

async function withRunner(
  deps: RunnerProbeDeps,
  ask: (runner: Runner) => Promise<Finding>,
): Promise<Finding> {
  const { connection, env, runnerTokens } = deps;
  const processes = createProcessManager({ inspector: createInspector(), clock: deps.clock });
  try {
    const runner = createRunner(
      {
        command: connection.runner.bin,
        leadingArgs: connection.runner.binArgs,
        configPath: connection.runner.configPath,
        profile: connection.profile,
        workDir: connection.runner.workDir,
        env: childEnvironment(env, runnerTokens),
        graceMs: 2_000,
        controlPipe: false,
      },
      processes,
    );
    return await ask(runner);
  } finally {
    await processes.dispose();
  }
}

async function askCapabilities(runner: Runner, signal: AbortSignal): Promise<Finding> {
  const answer = await runner.capabilities({ inputs: false, outputs: false }, signal);
  if (answer.ok) {
    const { ksqlFlowVersion, engineVersion } = answer.value;
    return confirmed("RUNNER_OK", { version: ksqlFlowVersion, engine: engineVersion });
  }
  const facts = factsOf(answer.error);
  return answer.error.code.startsWith("CAPABILITY_")
    ? wrong("RUNNER_LACKS", facts)
    : unreadable("RUNNER_NO_ANSWER", facts);
}

async function askProfile(deps: RunnerProbeDeps, runner: Runner, signal: AbortSignal): Promise<Finding> {
  const { connection, missingTokens } = deps;
  if (missingTokens.length > 0) return wrong("RUNNER_TOKENS_MISSING", { names: missingTokens.join(", ") });
  const answer = await runner.describeProfile(signal);
  if (!answer.ok) return unreadable("RUNNER_PROFILE_UNREAD", factsOf(answer.error));
  const { baseUrl, guestSpaceId, logApp, timezone } = answer.value.description;
  const other = [
    ...(sameAddress(baseUrl, connection.baseUrl) ? [] : [`baseUrl ${baseUrl}`]),
    ...(guestSpaceId === connection.guestSpaceId ? [] : [`guestSpaceId ${guestSpaceId}`]),
    ...(logApp === null || logApp.appId === connection.apps.jobLog ? [] : [`logApp ${logApp.appId}`]),
  ];
  if (other.length > 0)
    return wrong("RUNNER_OTHER_KINTONE", { profile: connection.profile, other: other.join(", ") });
  // Without a log app a job that died leaves no trace to judge it by (execution-contract §6).
  if (logApp === null) return wrong("RUNNER_NO_LOG_APP", { profile: connection.profile });
  if (timezone === null) return person("RUNNER_NO_TIME_ZONE", { profile: connection.profile });
  return confirmed("RUNNER_PROFILE_OK", { profile: connection.profile, timezone });
}

const sameAddress = (left: string, right: string): boolean =>
  left.replace(/\/+$/, "") === right.replace(/\/+$/, "");
const factsOf = (problem: Problem): Record<string, string> => ({
  problem: problem.code,
  message: problem.message,
});
