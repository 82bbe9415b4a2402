import { z } from "zod";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import { writePrivateFile } from "./data-dir.ts";
import { parseJson, readDataFile, readTextFile } from "./workspace-config.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** An app as the runner's configuration names it; `tokenVariable` holds its token. */
export interface RunnerApp {
  readonly name: string;
  readonly id: number;
  readonly tokenVariable: string;
}

export interface RunnerConfigInput {
  readonly profile: string;
  readonly baseUrl: string;
  readonly timezone: string;
  readonly apps: readonly RunnerApp[];
  /** Key of `apps`. */
  readonly logApp: string;
  readonly logDir: string;
}

/** A `ksql.config.json` (execution-contract section 12) that names tokens only as `env:NAME`. */
export function renderRunnerConfig(input: RunnerConfigInput): string {
  const apps = input.apps.map(
    (app) => [app.name, { id: app.id, tokens: [`env:${app.tokenVariable}`] }] as const,
  );
  const profile = {
    baseUrl: input.baseUrl,
    timezone: input.timezone,
    auth: { type: "apiToken" },
    apps: Object.fromEntries(apps),
    logApp: input.logApp,
    limits: { maxApiCalls: null, maxReadRows: 50_000, maxTempRows: 50_000, batchTimeoutSec: 3600 },
    retry: { maxAttempts: 5, initialDelayMs: 1000, maxDelayMs: 60_000, respectRetryAfter: true },
    logging: { localDir: input.logDir },
    httpTimeoutMs: 30_000,
  };
  return `${JSON.stringify({ defaultProfile: input.profile, profiles: { [input.profile]: profile } }, null, 2)}\n`;
}

/**
 * Writes the runner's configuration where it is missing or speaks of other apps or another address. Limits
 * that were changed by hand are kept: they belong to whoever works here. Error: `DATA_FILE_UNREADABLE`.
 */
export async function ensureRunnerConfig(path: string, input: RunnerConfigInput): Promise<void> {
  const wanted = renderRunnerConfig(input);
  const found = await readDataFile(path);
  if (found !== null && identityOf(found, input.profile) === identityOf(wanted, input.profile)) return;
  await writePrivateFile(path, wanted);
}

const identitySchema = z.object({
  profiles: z.record(z.string(), z.object({ baseUrl: z.unknown(), apps: z.unknown(), logApp: z.unknown() })),
});

function identityOf(text: string, profile: string): string | null {
  const parsed = identitySchema.safeParse(parseJson(text));
  const found = parsed.success ? parsed.data.profiles[profile] : undefined;
  return found === undefined ? null : JSON.stringify([found.baseUrl, found.apps, found.logApp]);
}

/**
 * The variables a runner configuration refers to as `env:NAME`, with their values. Errors:
 * `KSQL_CONFIG_UNREADABLE`, `KSQL_CONFIG_VARIABLE_MISSING` (all missing names at once).
 */
export async function runnerVariables(path: string, env: Env): Promise<Readonly<Record<string, string>>> {
  const names = await runnerVariableNames(path);
  const missing = names.filter((name) => (env[name] ?? "") === "");
  if (missing.length > 0) throw new FlowError(variablesMissing(path, missing));
  return Object.fromEntries(names.map((name) => [name, env[name] ?? ""]));
}

/** The names alone. Error: `KSQL_CONFIG_UNREADABLE`. */
export async function runnerVariableNames(path: string): Promise<readonly string[]> {
  return [...new Set(namesIn(await readRunnerConfig(path)))];
}

async function readRunnerConfig(path: string): Promise<unknown> {
  const text = await readTextFile(path).catch((error: unknown) => error);
  const value = typeof text === "string" ? parseJson(text) : undefined;
  if (value !== undefined) return value;
  const reason =
    text === null ? "there is no such file" : typeof text === "string" ? "it is not JSON" : String(text);
  throw new FlowError({
    code: "KSQL_CONFIG_UNREADABLE",
    message: `The runner's configuration cannot be read: ${reason}`,
    place: path,
    remedy: "Correct KSQL_FLOW_CONFIG or --ksql-flow-config, or the file itself.",
  });
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.startsWith("env:") ? [value.slice(4)] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(namesIn);
}

function variablesMissing(path: string, names: readonly string[]): Problem {
  return {
    code: "KSQL_CONFIG_VARIABLE_MISSING",
    message: `The runner's configuration refers to variables that are not set: ${names.join(", ")}`,
    place: path,
    remedy: "Set them in the environment of this program; the runner receives them and no others.",
    details: { names },
  };
}
