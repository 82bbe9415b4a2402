import { parseScheduledFor } from "./datetime.ts";
import { canonicalIdentifier } from "./identifier.ts";
import { fail, ok, type Problem, type Result } from "./problem.ts";

export type KeyPolicy =
  | { readonly type: "explicit" }
  | {
      readonly type: "scheduled_period";
      readonly period: "day" | "month";
      readonly timezone: string;
      readonly format: string;
    };

export interface KeyRequest {
  readonly networkId: string;
  readonly policy: KeyPolicy;
  readonly businessKey?: string | undefined;
  readonly scheduledFor?: string | undefined;
}
export interface ResolvedKey {
  readonly businessKey: string;
  /** The scheduled-for text as supplied, which becomes the Run's `as_of`; null when none was given. */
  readonly scheduledFor: string | null;
}

/** Longest business key, in UTF-16 units (wire-format §2.5). */
const BUSINESS_KEY_MAX_UNITS = 128;

const POLICY_PLACE = "$.business_key_policy";
const FORMAT_PLACE = `${POLICY_PLACE}.format`;
const PLACEHOLDER = /\{[^{}]*\}/g;
const KNOWN_PLACEHOLDERS = ["{network_id}", "{yyyy}", "{MM}", "{dd}"];
// By code unit, not by pattern: control characters in a pattern are what a reader cannot see.
const isControl = (unit: number): boolean => unit <= 0x1f || (unit >= 0x7f && unit <= 0x9f);

const hasControlCharacter = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (isControl(text.charCodeAt(i))) return true;
  return false;
};

function isTimeZone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}

function periodProblems(period: "day" | "month", format: string): Problem[] {
  const mismatch = (message: string): Problem => ({
    code: "FORMAT_PERIOD_MISMATCH",
    message,
    place: FORMAT_PLACE,
  });
  const needed = period === "day" ? ["{yyyy}", "{MM}", "{dd}"] : ["{yyyy}", "{MM}"];
  const problems = needed
    .filter((placeholder) => !format.includes(placeholder))
    .map((placeholder) =>
      mismatch(`A key per ${period} needs ${placeholder}; different periods would share a key.`),
    );
  if (period === "month" && format.includes("{dd}")) {
    problems.push(mismatch("A key per month must not contain {dd}: one month would have many keys."));
  }
  return problems;
}

/**
 * Problems of a key policy, in the peer's order: time zone, placeholders, period (orchestration §1.2,
 * wire-format §2.5). `place` is the path in the definition. An explicit policy has nothing to check.
 */
export function validateKeyPolicy(policy: KeyPolicy): readonly Problem[] {
  if (policy.type === "explicit") return [];
  const problems: Problem[] = [];
  if (!isTimeZone(policy.timezone)) {
    problems.push({
      code: "TIMEZONE_INVALID",
      message: `"${policy.timezone}" is not a known time zone; no calendar date can be derived.`,
      place: `${POLICY_PLACE}.timezone`,
      remedy: "Use an IANA name such as Asia/Tokyo.",
    });
  }
  for (const [placeholder] of policy.format.matchAll(PLACEHOLDER)) {
    if (KNOWN_PLACEHOLDERS.includes(placeholder)) continue;
    problems.push({
      code: "FORMAT_PLACEHOLDER_UNSUPPORTED",
      message: `${placeholder} is not a placeholder of a business key.`,
      place: FORMAT_PLACE,
      remedy: `Use ${KNOWN_PLACEHOLDERS.join(", ")}.`,
    });
  }
  if (/[{}]/.test(policy.format.replace(PLACEHOLDER, ""))) {
    problems.push({
      code: "FORMAT_PLACEHOLDER_INVALID",
      message: "A brace of the format belongs to no placeholder.",
      place: FORMAT_PLACE,
    });
  }
  return [...problems, ...periodProblems(policy.period, policy.format)];
}

function keyProblems(key: string, place: string): Problem[] {
  const remedy = `Use 1 to ${BUSINESS_KEY_MAX_UNITS} characters, none of them a control character.`;
  if (key === "")
    return [{ code: "BUSINESS_KEY_EMPTY", message: "The business key is empty.", place, remedy }];
  const problems: Problem[] = [];
  if (key.length > BUSINESS_KEY_MAX_UNITS) {
    problems.push({
      code: "BUSINESS_KEY_TOO_LONG",
      message: `The business key has ${key.length} characters; at most ${BUSINESS_KEY_MAX_UNITS} are allowed.`,
      place,
      remedy,
    });
  }
  if (hasControlCharacter(key)) {
    const message = "The business key contains a control character.";
    problems.push({ code: "BUSINESS_KEY_CONTROL_CHARACTER", message, place, remedy });
  }
  return problems;
}

/** The calendar date of an instant in a zone, month and day padded, year as it is (wire-format §2.5). */
function calendarDate(instant: number, timezone: string): { yyyy: string; MM: string; dd: string } {
  const parts = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(instant);
  const part = (type: string): string => parts.find((entry) => entry.type === type)?.value ?? "";
  return { yyyy: part("year"), MM: part("month"), dd: part("day") };
}

function derivedKey(
  request: KeyRequest,
  policy: KeyPolicy & { type: "scheduled_period" },
  instant: number,
): string {
  const values: Readonly<Record<string, string>> = {
    "{network_id}": request.networkId,
    ...Object.fromEntries(
      Object.entries(calendarDate(instant, policy.timezone)).map(([name, value]) => [`{${name}}`, value]),
    ),
  };
  // A function, not a replacement text: "$&" in a network id stands for itself.
  return policy.format.replace(PLACEHOLDER, (placeholder) => values[placeholder] ?? placeholder);
}

function resolveExplicit({ businessKey, scheduledFor }: KeyRequest): Result<ResolvedKey, readonly Problem[]> {
  const problems: Problem[] = [];
  if (scheduledFor !== undefined) {
    problems.push({
      code: "SCHEDULED_FOR_NOT_ALLOWED",
      message: "This network names its Runs by an explicit key; a scheduled time has no meaning for it.",
      place: "--scheduled-for",
      remedy: "Leave it out and name the Run with --business-key <key>.",
    });
  }
  if (businessKey === undefined) {
    const message = "This network names its Runs by an explicit key, and none was given.";
    const remedy = "Add --business-key <key>.";
    problems.push({ code: "BUSINESS_KEY_REQUIRED", message, place: "--business-key", remedy });
    return fail(problems);
  }
  problems.push(...keyProblems(businessKey, "--business-key"));
  return problems.length > 0 ? fail(problems) : ok({ businessKey, scheduledFor: null });
}

function resolveScheduled(
  request: KeyRequest,
  policy: KeyPolicy & { type: "scheduled_period" },
): Result<ResolvedKey, readonly Problem[]> {
  const { businessKey, scheduledFor } = request;
  if (businessKey === undefined && scheduledFor === undefined) {
    return fail([
      {
        code: "SCHEDULED_FOR_REQUIRED",
        message: "Neither a scheduled time nor a business key was given; the Run has no name.",
        place: "--scheduled-for/--business-key",
        remedy: "Add --scheduled-for <time> with an offset, or --business-key <key>.",
      },
    ]);
  }
  const problems: Problem[] = [];
  const instant = scheduledFor === undefined ? null : parseScheduledFor(scheduledFor);
  if (scheduledFor !== undefined && instant === null) {
    problems.push({
      code: "SCHEDULED_FOR_INVALID",
      message: `"${scheduledFor}" is not a date and time with an offset.`,
      place: "--scheduled-for",
      remedy: "Write it like 2026-09-01T00:00:00+09:00.",
    });
  }
  const key = businessKey ?? (instant === null ? null : derivedKey(request, policy, instant));
  if (key !== null) {
    problems.push(...keyProblems(key, businessKey === undefined ? FORMAT_PLACE : "--business-key"));
  }
  if (key === null || problems.length > 0) return fail(problems);
  return ok({ businessKey: key, scheduledFor: scheduledFor ?? null });
}

/**
 * The business key of a Run from policy, key and scheduled time (wire-format §2.5, orchestration §1.4).
 * All problems are collected, policy problems first and alone. A key that passes may still be no key
 * component: ask {@link businessKeyRunProblem} before any lock is taken.
 */
export function resolveBusinessKey(request: KeyRequest): Result<ResolvedKey, readonly Problem[]> {
  const policyProblems = validateKeyPolicy(request.policy);
  if (policyProblems.length > 0) return fail(policyProblems);
  return request.policy.type === "explicit"
    ? resolveExplicit(request)
    : resolveScheduled(request, request.policy);
}

/**
 * Why no Run key could be derived from this business key, or null: `:`, the reserved word, length in code
 * points (wire-format §2.1). The peer finds out only after it holds the lock (wire-format §7 row 9, W-12).
 */
export function businessKeyRunProblem(businessKey: string): Problem | null {
  const canonical = canonicalIdentifier(businessKey, "businessKey", "RECORD_KEY_IDENTIFIER");
  return canonical.ok ? null : canonical.error;
}

/** `<network_id>@manual-<UTC yyyyMMddTHHmmssSSSZ>`, the key of a start that names none (wire-format §2.5). `now` in epoch milliseconds. */
function manualBusinessKey(networkId: string, now: number): string {
  return `${networkId}@manual-${new Date(now).toISOString().replace(/[-:.]/g, "")}`;
}

/**
 * The key of `run-network` (wire-format §2.5): as {@link resolveBusinessKey}, with the manual key when neither
 * key, scheduled time nor resume was given. Every failure is `BUSINESS_KEY_INVALID`, its causes in
 * `details.problems`. `now` in epoch milliseconds.
 */
export function resolveRunKey(
  request: KeyRequest & { readonly resume: boolean; readonly now: number },
): Result<ResolvedKey> {
  const { businessKey, scheduledFor, resume, networkId, now } = request;
  const invents = businessKey === undefined && scheduledFor === undefined && !resume;
  const resolved = resolveBusinessKey(
    invents ? { ...request, businessKey: manualBusinessKey(networkId, now) } : request,
  );
  const problems = resolved.ok ? [] : [...resolved.error];
  if (resolved.ok) {
    const problem = businessKeyRunProblem(resolved.value.businessKey);
    if (problem === null) return ok(resolved.value);
    problems.push(problem);
  }
  const places = problems.map(({ place }) => optionOf(place, request));
  return fail({
    code: "BUSINESS_KEY_INVALID",
    message: problems.map((problem) => problem.message).join(" "),
    place: places[0] ?? "--business-key",
    remedy: [...new Set(problems.flatMap(({ remedy }) => (remedy === undefined ? [] : [remedy])))].join(" "),
    details: { problems: problems.map(({ code, place }) => ({ code, place })) },
  });
}

/** Where the key came from, for whoever has to correct it; a component of a record key is no place of theirs. */
function optionOf(place: string | undefined, { businessKey, scheduledFor }: KeyRequest): string {
  if (place !== undefined && place !== "businessKey") return place;
  return businessKey === undefined && scheduledFor !== undefined ? FORMAT_PLACE : "--business-key";
}
