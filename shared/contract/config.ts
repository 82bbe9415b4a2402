import { fail, ok, type Problem, type Result } from "../domain/problem.ts";
import { configProblem, resolveEnvironment } from "./config-env.ts";
import { configSchema, type WrittenConfig, type WrittenProfile } from "./config-schema.ts";
import { pathText } from "./parse.ts";

/** Longest run of a job when the profile sets no limit, in seconds; also the job lock's stale age (§12). */
const DEFAULT_BATCH_TIMEOUT_SEC = 3600;

/** How a profile authenticates; secrets resolved. */
export type ProfileAuth =
  | { readonly type: "apiToken" }
  | { readonly type: "password" | "basic"; readonly username: string; readonly password: string };

/** One profile with inheritance, fall-backs, defaults and environment applied. Holds secrets: never log it. */
export interface RunnerProfile {
  readonly name: string;
  /** http(s), normalised, without trailing slashes. */
  readonly baseUrl: string;
  readonly timezone: string | null;
  readonly auth: ProfileAuth;
  readonly basicAuth: { readonly username: string; readonly password: string } | null;
  readonly guestSpaceId: number | null;
  readonly apps: Readonly<Record<string, { readonly id: number; readonly tokens: readonly string[] }>>;
  readonly logApp: string | null;
  readonly limits: {
    readonly maxApiCalls: number | null;
    readonly maxReadRows: number;
    readonly maxTempRows: number;
    readonly batchTimeoutSec: number;
  };
  readonly retry: {
    readonly maxAttempts: number;
    readonly initialDelayMs: number;
    readonly maxDelayMs: number;
    readonly respectRetryAfter: boolean;
  };
  readonly notifications: {
    readonly failureWebhook: string | null;
    readonly heartbeat: { readonly url: string; readonly on: "success" | "always" } | null;
  };
  readonly logging: {
    readonly localDir: string;
    readonly maskFields: readonly string[];
    readonly stripLiterals: boolean;
  };
  readonly httpTimeoutMs: number;
}

/**
 * Checks a parsed `ksql.config.json` without resolving anything (execution-contract §12). Error:
 * `CONFIG_ERROR` with the key as place; an unknown key is named itself.
 */
export function parseConfig(value: unknown): Result<WrittenConfig> {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const unknownKey = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const place = pathText([...(issue?.path ?? []), ...unknownKey]);
  return fail(configProblem(place, issue?.message ?? "The configuration cannot be read"));
}

/**
 * One profile of a checked configuration, ready to use (execution-contract §12). `profileName` null takes
 * `defaultProfile`. `lookup` answers for `env:NAME` strings; unset or empty is an error naming the variable,
 * never its value. Error: `CONFIG_ERROR`.
 */
export function resolveProfile(
  config: WrittenConfig,
  profileName: string | null,
  lookup: (variable: string) => string | undefined,
): Result<RunnerProfile> {
  const name = profileName ?? config.defaultProfile;
  if (name === undefined)
    return fail(configProblem("defaultProfile", "No profile was named and none is the default"));
  const merged = inherit(config, name);
  if (!merged.ok) return merged;
  const resolved = resolveEnvironment(merged.value, `profiles.${name}`, lookup);
  return resolved.ok ? complete(name, resolved.value, `profiles.${name}`) : resolved;
}

/** Child keys replace parent keys whole; `apps` and `logApp` are never inherited; then the top-level fall-backs. */
function inherit(config: WrittenConfig, name: string): Result<WrittenProfile> {
  let merged: WrittenProfile = {};
  const seen = new Set<string>();
  for (let current: string | undefined = name; current !== undefined; ) {
    const place = current === name ? `profiles.${name}` : `profiles.${name}.extends`;
    if (seen.has(current)) return fail(configProblem(place, `Profile ${current} extends itself in a circle`));
    seen.add(current);
    const profile: WrittenProfile | undefined = Object.hasOwn(config.profiles, current)
      ? config.profiles[current]
      : undefined;
    if (profile === undefined) return fail(configProblem(place, `There is no profile ${current}`));
    const { extends: parent, apps, logApp, ...heritable }: WrittenProfile = profile;
    merged = { ...heritable, ...merged, ...(current === name && own(apps, logApp)) };
    current = parent;
  }
  const { limits, retry, notifications, logging } = config;
  return ok({ ...present({ limits, retry, notifications, logging }), ...merged });
}

const own = (apps: WrittenProfile["apps"], logApp: WrittenProfile["logApp"]): WrittenProfile =>
  present({ apps, logApp });

function present(profile: WrittenProfile): WrittenProfile {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}

function complete(name: string, profile: WrittenProfile, place: string): Result<RunnerProfile> {
  const baseUrl = normaliseBaseUrl(profile.baseUrl);
  if (baseUrl === null) return fail(configProblem(`${place}.baseUrl`, "Not an http or https address"));
  const auth = authOf(profile, place);
  if (!auth.ok) return auth;
  const apps = profile.apps ?? {};
  if (profile.logApp !== undefined && !Object.hasOwn(apps, profile.logApp)) {
    return fail(configProblem(`${place}.logApp`, `"${profile.logApp}" is not one of the profile's apps`));
  }
  return ok({
    name,
    baseUrl,
    timezone: profile.timezone ?? null,
    auth: auth.value.auth,
    basicAuth: auth.value.basicAuth,
    guestSpaceId: profile.guestSpaceId ?? null,
    apps: Object.fromEntries(
      Object.entries(apps).map(([app, { id, tokens }]) => [app, { id, tokens: tokens ?? [] }]),
    ),
    logApp: profile.logApp ?? null,
    ...defaults(profile),
  });
}

function defaults(profile: WrittenProfile) {
  const { limits, retry, notifications, logging } = profile;
  const heartbeat = notifications?.heartbeat;
  return {
    limits: {
      maxApiCalls: limits?.maxApiCalls ?? null,
      maxReadRows: limits?.maxReadRows ?? 10_000,
      maxTempRows: limits?.maxTempRows ?? 10_000,
      batchTimeoutSec: limits?.batchTimeoutSec ?? DEFAULT_BATCH_TIMEOUT_SEC,
    },
    retry: {
      maxAttempts: retry?.maxAttempts ?? 5,
      initialDelayMs: retry?.initialDelayMs ?? 1000,
      maxDelayMs: retry?.maxDelayMs ?? 60_000,
      respectRetryAfter: retry?.respectRetryAfter ?? true,
    },
    notifications: {
      failureWebhook: notifications?.onFailure?.webhook ?? null,
      heartbeat:
        heartbeat === undefined ? null : { url: heartbeat.url, on: heartbeat.on ?? ("success" as const) },
    },
    logging: {
      localDir: logging?.localDir ?? ".ksql/logs",
      maskFields: logging?.maskFields ?? [],
      stripLiterals: logging?.stripLiterals ?? false,
    },
    httpTimeoutMs: profile.httpTimeoutMs ?? 30_000,
  };
}

/**
 * `shared` has no URL parser, so the normal form is made by hand: scheme and host in lower case, the default
 * port and trailing slashes dropped. Credentials, queries and fragments have no meaning here and are refused.
 */
function normaliseBaseUrl(written: string | undefined): string | null {
  const parts = /^(https?):\/\/([^/?#@\s:]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?(\/[^?#\s]*)?$/i.exec(
    written ?? "",
  );
  if (parts === null) return null;
  const [, scheme = "", host = "", port = "", path = ""] = parts;
  const lower = scheme.toLowerCase();
  if (port !== "" && (Number(port) > 65_535 || Number(port) === 0)) return null;
  const standard = lower === "https" ? "443" : "80";
  const shownPort = port === "" || String(Number(port)) === standard ? "" : `:${Number(port)}`;
  return `${lower}://${host.toLowerCase()}${shownPort}${path.replace(/\/+$/, "")}`;
}

type Credentials = { readonly username: string; readonly password: string };

function authOf(
  profile: WrittenProfile,
  place: string,
): Result<{ readonly auth: ProfileAuth; readonly basicAuth: Credentials | null }> {
  const auth = profile.auth ?? {};
  const type = auth.type ?? "apiToken";
  const missing = (key: string): { ok: false; error: Problem } =>
    fail(configProblem(`${place}.auth.${key}`, `auth.type "${type}" needs it`));
  const basicAuth = profile.basicAuth ?? basicPair(auth.basicUsername, auth.basicPassword);
  if (type === "apiToken") return ok({ auth: { type }, basicAuth });
  if (auth.username === undefined) return missing("username");
  if (auth.password === undefined) return missing("password");
  if (type === "basic" && basicAuth === null) return missing("basicUsername");
  return ok({ auth: { type, username: auth.username, password: auth.password }, basicAuth });
}

const basicPair = (username: string | undefined, password: string | undefined): Credentials | null =>
  username === undefined || password === undefined ? null : { username, password };
