import { mkdir } from "node:fs/promises";
import { FlowError } from "../../shared/domain/problem.ts";
import type { CliContext } from "./command.ts";

/** The configured job runner, ready to be started. */
export interface RunnerAccess {
  readonly file: string;
  readonly leadingArgs: readonly string[];
  readonly profile: string;
  readonly configPath: string;
  readonly workDir: string;
  /** Tokens of the runner's configuration, beside this process's own variables. Never for a log. */
  readonly env: Readonly<Record<string, string>>;
}

const INHERITED = ["PATH", "Path", "HOME", "USERPROFILE", "SystemRoot", "TEMP", "TMP", "LANG", "TZ"];

/**
 * Runs `work` with the runner of the workspace this host is configured for, the same one its networks use
 * (orchestration section 9.3). The workspace stays open meanwhile, for the embedded kintone ends with it.
 */
export async function withRunner<T>(
  context: CliContext,
  work: (runner: RunnerAccess) => Promise<T>,
): Promise<T> {
  const { openWorkspace } = await import("../console/index.ts");
  const { dataDir, env, signal } = context;
  const workspace = await openWorkspace({ dataDir: await dataDir(), env, signal });
  try {
    const block = workspace.environment();
    const needed = (name: string): string => {
      const value = block[name];
      if (value !== undefined && value !== "") return value;
      throw new FlowError({
        code: "RUNNER_NOT_CONFIGURED",
        message: `The workspace names no ${name}.`,
        place: name,
      });
    };
    const workDir = needed("KSQL_FLOW_WORKDIR");
    await mkdir(workDir, { recursive: true });
    const inherited = INHERITED.flatMap((name) =>
      env[name] === undefined ? [] : [[name, env[name]] as const],
    );
    return await work({
      file: needed("KSQL_FLOW_BIN"),
      leadingArgs: wordsOf(block.KSQL_FLOW_BIN_ARGS ?? "[]"),
      profile: needed("KSQL_FLOWNET_PROFILE"),
      configPath: needed("KSQL_FLOW_CONFIG"),
      workDir,
      env: { ...Object.fromEntries(inherited), ...block },
    });
  } finally {
    await workspace.dispose();
  }
}

function wordsOf(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.map(String) : [];
}
