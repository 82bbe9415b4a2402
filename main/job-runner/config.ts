import { readFileSync } from "node:fs";
import { basename } from "node:path";
import {
  parseConfig,
  type RunnerProfile,
  resolveProfile,
  type WrittenConfig,
} from "../../shared/contract/index.ts";
import { fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import type { KnownApp } from "./plan/apps.ts";

export interface LoadedProfile {
  readonly profile: RunnerProfile;
  /** False when `limits.batchTimeoutSec` is null: no lock is ever taken over by age (execution-contract §13 W4). */
  readonly takeover: boolean;
  /**
   * Row limits as they are described: null where none is written, although a run then has one. The published
   * runner says it so, and a stored Run's snapshot of the profile must not depend on which runner described it.
   */
  readonly writtenRows: { readonly maxReadRows: number | null; readonly maxTempRows: number | null };
}

const configError = (message: string, place: string): Problem => ({
  code: "CONFIG_ERROR",
  message,
  place,
  remedy: "Correct the configuration.",
});

/**
 * Reads and checks `ksql.config.json` (execution-contract §12). Error: `CONFIG_ERROR`, whose place is never a
 * path: it may end in a result, and results hold none (§11).
 */
export function loadProfile(
  path: string,
  name: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): Result<LoadedProfile> {
  const read = readJson(path);
  if (!read.ok) return read;
  const config = parseConfig(read.value);
  if (!config.ok) return config;
  const profile = resolveProfile(config.value, name, (variable) => environment[variable]);
  if (!profile.ok) return profile;
  if (profile.value.timezone !== null && !isTimeZone(profile.value.timezone)) {
    return fail(
      configError(`"${profile.value.timezone}" is not an IANA time zone.`, `${basename(path)}: timezone`),
    );
  }
  const written = writtenLimits(config.value, profile.value.name);
  const { maxReadRows = null, maxTempRows = null } = written ?? {};
  return ok({
    profile: profile.value,
    takeover: written?.batchTimeoutSec !== null,
    writtenRows: { maxReadRows, maxTempRows },
  });
}

function readJson(path: string): Result<unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const problem = configError(`The configuration cannot be read: ${codeOf(error)}.`, basename(path));
    const missing = "Name the file with --config, or start where it lies.";
    return fail(codeOf(error) === "ENOENT" ? { ...problem, remedy: missing } : problem);
  }
  try {
    return ok(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return fail(configError("The configuration is not JSON.", basename(path)));
  }
}

/** System error code of an exception, such as ENOENT, for messages. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** The `limits` that count: the nearest in the chain of `extends`, else the top-level ones, as a whole. */
function writtenLimits(config: WrittenConfig, name: string): WrittenConfig["limits"] {
  for (let current: string | undefined = name; current !== undefined; ) {
    const profile: WrittenConfig["profiles"][string] | undefined = config.profiles[current];
    if (profile?.limits !== undefined) return profile.limits;
    current = profile?.extends;
  }
  return config.limits;
}

/** The profile's apps as scripts refer to them. */
export function knownApps(profile: RunnerProfile): readonly KnownApp[] {
  return Object.entries(profile.apps).map(([name, { id }]) => ({ name, appId: id }));
}
