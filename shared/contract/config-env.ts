import { fail, ok, type Problem, type Result } from "../domain/problem.ts";
import type { WrittenProfile } from "./config-schema.ts";

/** A refused configuration, told with the key it is about (execution-contract §12). */
export const configProblem = (place: string, message: string): Problem => ({
  code: "CONFIG_ERROR",
  message: `${message}. Nothing was started with this configuration.`,
  place: `ksql.config.json: ${place === "" ? "(whole file)" : place}`,
  remedy: "Correct the key and check the configuration again.",
});

type Lookup = (variable: string) => string | undefined;

/**
 * The profile with every `env:NAME` replaced. All tokens are resolved even if unused, so that a missing
 * variable is told before a run and not in the middle of one. Error: `CONFIG_ERROR` naming the variable.
 */
export function resolveEnvironment(
  profile: WrittenProfile,
  place: string,
  lookup: Lookup,
): Result<WrittenProfile> {
  const problems: Problem[] = [];
  const at: At = (value, key) => {
    if (!value.startsWith("env:")) return value;
    const variable = value.slice("env:".length);
    const found = lookup(variable) ?? "";
    if (found === "") {
      const message = `The environment variable ${variable} is not set or empty`;
      problems.push(configProblem(`${place}.${key}`, message));
    }
    return found;
  };
  const resolved = replaceStrings(profile, at);
  const first = problems[0];
  return first === undefined ? ok(resolved) : fail(first);
}

/** Visits the strings that may be `env:NAME` (execution-contract §12, *env*). */
function replaceStrings(profile: WrittenProfile, at: At): WrittenProfile {
  const { baseUrl, auth, basicAuth, apps, notifications } = profile;
  const both = <T extends object>(value: T, key: string): T =>
    mapStrings(value, (text, name) => at(text, `${key}.${name}`));
  return {
    ...profile,
    ...(baseUrl !== undefined && { baseUrl: at(baseUrl, "baseUrl") }),
    ...(auth !== undefined && { auth: both(auth, "auth") }),
    ...(basicAuth !== undefined && { basicAuth: both(basicAuth, "basicAuth") }),
    ...(apps !== undefined && { apps: resolveTokens(apps, at) }),
    ...(notifications !== undefined && { notifications: resolveUrls(notifications, at) }),
  };
}

function mapStrings<T extends object>(value: T, change: (text: string, key: string) => string): T {
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    typeof item === "string" ? change(item, key) : item,
  ]);
  return { ...value, ...Object.fromEntries(entries) };
}

type At = (value: string, key: string) => string;

function resolveTokens(
  apps: NonNullable<WrittenProfile["apps"]>,
  at: At,
): NonNullable<WrittenProfile["apps"]> {
  return Object.fromEntries(
    Object.entries(apps).map(([name, app]) => {
      const tokens = app.tokens?.map((token, index) => at(token, `apps.${name}.tokens[${index}]`));
      return [name, { ...app, ...(tokens !== undefined && { tokens }) }];
    }),
  );
}

function resolveUrls(
  notifications: NonNullable<WrittenProfile["notifications"]>,
  at: At,
): NonNullable<WrittenProfile["notifications"]> {
  const { onFailure, heartbeat } = notifications;
  return {
    ...(onFailure && { onFailure: { webhook: at(onFailure.webhook, "notifications.onFailure.webhook") } }),
    ...(heartbeat && { heartbeat: { ...heartbeat, url: at(heartbeat.url, "notifications.heartbeat.url") } }),
  };
}
