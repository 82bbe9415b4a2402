import { z } from "zod";
import { type Expectation, expectedKey, type Recurrence } from "./expectation.ts";
import { fail, ok, type Problem, type Result } from "./problem.ts";
import { isZone } from "./wall-clock.ts";

const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;

/** `HH:MM` from the day's midnight up to `47:59`, the end of the day after, as minutes. */
const minutes = z
  .string()
  .regex(/^(?:[0-3]\d|4[0-7]):[0-5]\d$/, 'write "HH:MM", from "00:00" to "47:59"')
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

const day = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text), 'write a real day as "YYYY-MM-DD"');

const repeat = z.discriminatedUnion("every", [
  z.strictObject({ every: z.literal("day") }),
  z.strictObject({ every: z.literal("week"), day: z.enum(WEEKDAYS) }),
  z.strictObject({ every: z.literal("month"), day: z.int().min(1).max(31) }),
]);

const entry = z
  .strictObject({
    networkId: z.string().min(1).max(128),
    zone: z.string().refine(isZone, "this is no time zone; write an IANA name such as Asia/Tokyo"),
    from: day,
    repeat,
    businessKey: z
      .string()
      .min(1)
      .max(128)
      .refine(knownPlaceholders, "only {yyyy}, {MM}, {dd} and {network_id} are placeholders"),
    existsBy: minutes.optional(),
    successBy: minutes.optional(),
  })
  .refine(({ existsBy, successBy }) => existsBy !== undefined || successBy !== undefined, {
    error: "name existsBy, successBy or both",
    path: ["existsBy"],
  })
  .refine(({ existsBy, successBy }) => (existsBy ?? 0) <= (successBy ?? Number.POSITIVE_INFINITY), {
    error: "a Run cannot have to succeed before it has to exist",
    path: ["successBy"],
  })
  .refine(oneKeyADay, {
    error: "two expected days would share this key; name {dd}, or {yyyy} and {MM} for a monthly one",
    path: ["businessKey"],
  });

/** `schedules.json`: when which network's Run is due (decisions §5). Detection only: nothing is started by it. */
const schedulesSchema = z.strictObject({
  kind: z.literal("FLOWNET_SCHEDULES"),
  formatVersion: z.literal(1),
  networks: z.array(entry).max(500),
});

function isDay(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

function knownPlaceholders(text: string): boolean {
  return !/[{}]/.test(text.replace(/\{(?:yyyy|MM|dd|network_id)\}/g, ""));
}

function oneKeyADay({
  businessKey,
  repeat: { every },
}: {
  businessKey: string;
  repeat: Recurrence | { every: string };
}) {
  const needed = every === "month" ? ["{yyyy}", "{MM}"] : ["{yyyy}", "{MM}", "{dd}"];
  return needed.every((placeholder) => businessKey.includes(placeholder));
}

const recurrenceOf = (parsed: z.output<typeof repeat>): Recurrence =>
  parsed.every === "week" ? { every: "week", day: WEEKDAYS.indexOf(parsed.day) } : parsed;

/**
 * The expectations of a parsed `schedules.json`. Errors: `SCHEDULES_INVALID` with the file and the first wrong key as
 * its place; also for two entries of one network whose keys are the same. `place` names the file.
 */
export function parseSchedules(value: unknown, place: string): Result<readonly Expectation[]> {
  const parsed = schedulesSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(invalid(issue?.message ?? "not JSON", `${place} ${["$", ...(issue?.path ?? [])].join(".")}`));
  }
  const found = parsed.data.networks.map(({ repeat: repeats, existsBy, successBy, ...rest }) => ({
    ...rest,
    recurrence: recurrenceOf(repeats),
    existsBy: existsBy ?? null,
    successBy: successBy ?? null,
  }));
  const twice = found.findIndex((each, index) => found.findIndex((other) => sameKeys(each, other)) !== index);
  if (twice < 0) return ok(found);
  return fail(invalid("this network and key stand here twice", `${place} $.networks.${twice}`));
}

const sameKeys = (left: Expectation, right: Expectation): boolean =>
  left.networkId === right.networkId && expectedKey(left, "2000-01-01") === expectedKey(right, "2000-01-01");

function invalid(reason: string, place: string): Problem {
  return {
    code: "SCHEDULES_INVALID",
    message: `The schedules cannot be used, so lateness is not watched: ${reason}.`,
    place,
    remedy: "Correct the file; it is read again by itself.",
  };
}
