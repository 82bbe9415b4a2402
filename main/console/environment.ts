import { hostname, userInfo } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where a kintone is and with which apps and tokens; from variables or from the embedded workspace. */
export interface Connection {
  readonly profile: string;
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly state: AppAccess;
  readonly audit: AppAccess;
  readonly jobLog: AppAccess;
  /** Null where nobody polls requests. */
  readonly request: AppAccess | null;
  readonly allowListPath: string | null;
  readonly runner: RunnerAccess;
  /** Only connections of the settings say more than an address. */
  readonly reach?: Reach;
  /** Id of the connection in the settings; absent for variables and the embedded workspace. */
  readonly settingsId?: string;
}

/** How a kintone is reached beside its address. */
export interface Reach {
  /** All apps of the connection stand in it (fenced-writes R8). */
  readonly guestSpaceId?: number;
  readonly proxyUrl?: string;
  /** PEM texts of every authority that is trusted. */
  readonly ca?: readonly string[];
}

export interface AppAccess {
  readonly appId: number;
  readonly token: string;
}

/** The runner a host starts: a program with fixed leading arguments (orchestration section 9.3). */
export interface RunnerAccess {
  readonly bin: string;
  readonly binArgs: readonly string[];
  readonly configPath: string;
  readonly workDir: string;
}

/**
 * Variables that name a kintone or a runner. One of them set means: this host is configured, and the
 * embedded workspace is not for it. Who asks and how long to wait (`…_REQUESTED_BY`, `…_HOST`,
 * `…_OWNER_INSTANCE_ID`, `…_GRACE_PERIOD_MS`) count for both.
 */
export const CONNECTION_VARIABLES = [
  "KSQL_FLOWNET_PROFILE",
  "KSQL_FLOWNET_BASE_URL",
  "KSQL_FLOWNET_STATE_APP_ID",
  "KSQL_FLOWNET_STATE_API_TOKEN",
  "KSQL_FLOWNET_AUDIT_APP_ID",
  "KSQL_FLOWNET_AUDIT_API_TOKEN",
  "KSQL_FLOWNET_REQUEST_APP_ID",
  "KSQL_FLOWNET_REQUEST_API_TOKEN",
  "KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH",
  "KSQL_FLOW_BIN",
  "KSQL_FLOW_BIN_ARGS",
  "KSQL_FLOW_CONFIG",
  "KSQL_FLOW_WORKDIR",
  "KSQL_FLOW_LOG_APP_ID",
  "KSQL_FLOW_LOG_API_TOKEN",
] as const;

export function isConfigured(env: Env): boolean {
  return CONNECTION_VARIABLES.some((name) => (env[name] ?? "") !== "");
}

/**
 * Reads the connection from variables (orchestration section 9.3); `overrides` are the command's options.
 * Errors as one `FlowError` that names every missing or malformed variable: `ENVIRONMENT_INCOMPLETE`,
 * `ENVIRONMENT_INVALID`. No value of a token ever appears in it.
 */
export function connectionFromEnv(env: Env, overrides: Env, cwd: string): Connection {
  const missing: string[] = [];
  const invalid: Problem[] = [];
  const optional = (name: string): string | null => nonEmpty(overrides[name]) ?? nonEmpty(env[name]);
  const required = (name: string): string => {
    const value = optional(name);
    if (value === null) missing.push(name);
    return value ?? "";
  };
  const appId = (name: string): number => {
    const value = required(name);
    if (value !== "" && !/^[1-9]\d{0,9}$/.test(value))
      invalid.push(variableInvalid(name, "an app id is a positive number"));
    return Number(value);
  };
  const absolute = (path: string): string => (path === "" || isAbsolute(path) ? path : resolve(cwd, path));
  const requestApp = optional("KSQL_FLOWNET_REQUEST_APP_ID");
  const connection: Connection = {
    profile: required("KSQL_FLOWNET_PROFILE"),
    baseUrl: required("KSQL_FLOWNET_BASE_URL").replace(/\/+$/, ""),
    state: { appId: appId("KSQL_FLOWNET_STATE_APP_ID"), token: required("KSQL_FLOWNET_STATE_API_TOKEN") },
    audit: { appId: appId("KSQL_FLOWNET_AUDIT_APP_ID"), token: required("KSQL_FLOWNET_AUDIT_API_TOKEN") },
    jobLog: { appId: appId("KSQL_FLOW_LOG_APP_ID"), token: required("KSQL_FLOW_LOG_API_TOKEN") },
    request:
      requestApp === null
        ? null
        : { appId: appId("KSQL_FLOWNET_REQUEST_APP_ID"), token: required("KSQL_FLOWNET_REQUEST_API_TOKEN") },
    allowListPath: optional("KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH"),
    runner: {
      bin: required("KSQL_FLOW_BIN"),
      binArgs: binArgs(optional("KSQL_FLOW_BIN_ARGS"), invalid),
      configPath: absolute(required("KSQL_FLOW_CONFIG")),
      workDir: absolute(required("KSQL_FLOW_WORKDIR")),
    },
  };
  if (connection.baseUrl !== "" && !isDomain(connection.baseUrl)) {
    const rule = "write https://<domain> (or http://localhost:<port>) and nothing after it";
    invalid.push(variableInvalid("KSQL_FLOWNET_BASE_URL", rule));
  }
  refuse(missing, invalid);
  return connection;
}

function refuse(missing: readonly string[], invalid: readonly Problem[]): void {
  if (missing.length > 0) {
    throw new FlowError({
      code: "ENVIRONMENT_INCOMPLETE",
      message: `This host is configured by variables, but these are not set: ${missing.join(", ")}`,
      place: `environment ${missing.join(", ")}`,
      remedy:
        "Set them, or unset every KSQL_FLOWNET_… and KSQL_FLOW_… variable to use the embedded workspace.",
      details: { names: missing },
    });
  }
  const first = invalid[0];
  if (first !== undefined) throw new FlowError(first);
}

function variableInvalid(name: string, rule: string): Problem {
  return {
    code: "ENVIRONMENT_INVALID",
    message: `The variable ${name} cannot be used: ${rule}.`,
    place: `environment ${name}`,
    remedy: `Correct ${name}.`,
  };
}

/** A JSON array of strings when it starts with `[`, else words split on white space. */
function binArgs(text: string | null, invalid: Problem[]): readonly string[] {
  if (text === null) return [];
  if (!text.startsWith("[")) return text.split(/\s+/).filter((part) => part !== "");
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((part) => typeof part === "string")) return value;
  } catch {
    // Falls through: the same refusal as for an array of something else.
  }
  invalid.push(variableInvalid("KSQL_FLOW_BIN_ARGS", "it starts with [ but is not a JSON array of strings"));
  return [];
}

/** Scheme and host alone: the paths below are ours, and guest spaces are not written into the base URL. */
function isDomain(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const loopback = url.protocol === "http:" && url.hostname === "localhost";
  return (
    (url.protocol === "https:" || loopback) &&
    url.pathname === "/" &&
    url.search === "" &&
    url.username === ""
  );
}

/** The complete block of variables with which any FlowNet program works on this workspace. Holds tokens. */
export function environmentBlock(
  connection: Connection,
  runnerTokens: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { request, allowListPath, runner } = connection;
  return {
    KSQL_FLOWNET_PROFILE: connection.profile,
    KSQL_FLOWNET_BASE_URL: connection.baseUrl,
    KSQL_FLOWNET_STATE_APP_ID: String(connection.state.appId),
    KSQL_FLOWNET_STATE_API_TOKEN: connection.state.token,
    KSQL_FLOWNET_AUDIT_APP_ID: String(connection.audit.appId),
    KSQL_FLOWNET_AUDIT_API_TOKEN: connection.audit.token,
    ...(request === null
      ? {}
      : {
          KSQL_FLOWNET_REQUEST_APP_ID: String(request.appId),
          KSQL_FLOWNET_REQUEST_API_TOKEN: request.token,
        }),
    ...(allowListPath === null ? {} : { KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH: allowListPath }),
    KSQL_FLOW_BIN: runner.bin,
    KSQL_FLOW_BIN_ARGS: JSON.stringify(runner.binArgs),
    KSQL_FLOW_CONFIG: runner.configPath,
    KSQL_FLOW_WORKDIR: runner.workDir,
    KSQL_FLOW_LOG_APP_ID: String(connection.jobLog.appId),
    KSQL_FLOW_LOG_API_TOKEN: connection.jobLog.token,
    ...runnerTokens,
  };
}

/** Variables a child may inherit: what a Node program needs to start, find its files and verify certificates. */
const INHERITED = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SystemRoot",
  "SYSTEMROOT",
  "windir",
  "ComSpec",
  "PATHEXT",
  "USERNAME",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "NODE_EXTRA_CA_CERTS",
  "NODE_COMPILE_CACHE",
  "KSQL_HOST_LABEL",
  "FLOWNET_TEST_CLOCK_OFFSET_MS",
] as const;

/** The whole environment of a runner child: an allow list, and the variables its configuration names. */
export function childEnvironment(
  env: Env,
  runnerTokens: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...runnerTokens };
}

/** `KSQL_FLOWNET_HOST`, else the operating system's name of this host. */
export function hostName(env: Env): string {
  return nonEmpty(env.KSQL_FLOWNET_HOST) ?? hostname();
}

/** Who asks (orchestration section 9.3); the account's own name stands in where no variable says otherwise. */
export function requestedBy(env: Env): string {
  return nonEmpty(env.KSQL_FLOWNET_REQUESTED_BY) ?? nonEmpty(env.USERNAME) ?? accountName() ?? "unknown";
}

function accountName(): string | null {
  try {
    return nonEmpty(userInfo().username);
  } catch {
    // An account without an entry in the system's user list has no name.
    return null;
  }
}

/** `KSQL_FLOW_GRACE_PERIOD_MS`, 30,000 by default: how long a child may take to stop politely. */
export function gracePeriodMs(env: Env): number {
  const text = nonEmpty(env.KSQL_FLOW_GRACE_PERIOD_MS);
  if (text === null) return 30_000;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new FlowError(
    variableInvalid("KSQL_FLOW_GRACE_PERIOD_MS", "it is a positive number of milliseconds"),
  );
}

function nonEmpty(value: string | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}
