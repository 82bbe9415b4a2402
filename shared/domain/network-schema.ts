import type { KeyPolicy } from "./business-key.ts";
import { codePointLength, IDENTIFIER_MAX_CODE_POINTS, RESERVED_IDENTIFIER } from "./identifier.ts";
import { TRIGGER_RULES } from "./model.ts";
import {
  type NetworkDefinition,
  type NetworkProblem,
  type NodeDefinition,
  pointerSegment,
} from "./network-definition.ts";

type PlainObject = Readonly<Record<string, unknown>>;

/** Collects problems while the value is walked; every reader answers a usable value or null. */
interface Walk {
  readonly problems: NetworkProblem[];
  invalid(path: string, message: string): null;
}

function createWalk(): Walk {
  const problems: NetworkProblem[] = [];
  return {
    problems,
    invalid(path, message) {
      problems.push({ code: "SCHEMA_INVALID", message, place: path });
      return null;
    },
  };
}

const isObject = (value: unknown): value is PlainObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object with all required keys and no unknown ones; problems are noted, reading goes on. */
function objectAt(
  walk: Walk,
  value: unknown,
  path: string,
  required: readonly string[],
  optional: readonly string[],
): PlainObject | null {
  if (!isObject(value)) return walk.invalid(path, "An object is expected here.");
  for (const key of Object.keys(value)) {
    if (required.includes(key) || optional.includes(key)) continue;
    walk.problems.push({
      code: "UNKNOWN_PROPERTY",
      message: `"${key}" is not a property of a network definition at this place.`,
      place: path,
      // The place is the object's (orchestration §1.2); who has the text points at the property itself.
      details: { property: key },
      remedy: `Known here: ${[...required, ...optional].join(", ")}.`,
    });
  }
  for (const key of required) {
    if (!Object.hasOwn(value, key)) walk.invalid(path, `The property "${key}" is missing.`);
  }
  return value;
}

/** Reads one property if it is present; an absent one was already told by {@link objectAt}. */
function property<T>(
  object: PlainObject | null,
  key: string,
  path: string,
  read: (value: unknown, path: string) => T | null,
): T | null {
  if (object === null || !Object.hasOwn(object, key)) return null;
  return read(object[key], `${path}/${key}`);
}

/** What an identifier must not be (orchestration §1.1); null when it may stand. */
function identifierFault(text: string): string | null {
  const length = codePointLength(text);
  if (length < 1 || length > IDENTIFIER_MAX_CODE_POINTS)
    return `has ${length} characters instead of 1 to ${IDENTIFIER_MAX_CODE_POINTS}`;
  if (text.includes(":") || text.includes("\u0000")) return 'contains ":" or U+0000';
  return text === RESERVED_IDENTIFIER ? "is a reserved word" : null;
}

function ioNameFault(name: string): string | null {
  const fault = identifierFault(name);
  if (fault !== null) return fault;
  const control = [...name].some((character) => character < " " || character === "\u007f");
  return name.includes("=") || control ? 'contains "=" or a control character' : null;
}

const readText =
  (walk: Walk, minimum: 0 | 1) =>
  (value: unknown, path: string): string | null => {
    if (typeof value !== "string") return walk.invalid(path, "A text is expected here.");
    return value.length < minimum ? walk.invalid(path, "An empty text is not allowed here.") : value;
  };

const readIdentifier =
  (walk: Walk) =>
  (value: unknown, path: string): string | null => {
    if (typeof value !== "string")
      return walk.invalid(path, "An identifier is expected here, written as text.");
    const fault = identifierFault(value);
    return fault === null ? value : walk.invalid(path, `The identifier ${fault}.`);
  };

const readPositiveInteger =
  (walk: Walk) =>
  (value: unknown, path: string): number | null =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 1
      ? value
      : walk.invalid(path, "A whole number from 1 on is expected here.");

const readChoice =
  <T extends string>(walk: Walk, choices: readonly T[]) =>
  (value: unknown, path: string): T | null =>
    choices.find((choice) => choice === value) ??
    walk.invalid(path, `One of ${choices.join(", ")} is expected here.`);

const readPatterns =
  (walk: Walk) =>
  (value: unknown, path: string): Readonly<Record<string, string>> | null => {
    if (!isObject(value)) return walk.invalid(path, "A map from name to path pattern is expected here.");
    const entries: (readonly [string, string])[] = [];
    for (const [name, pattern] of Object.entries(value)) {
      const fault = ioNameFault(name);
      if (fault !== null) walk.invalid(path, `The name "${name}" ${fault}.`);
      const text = readText(walk, 1)(pattern, `${path}/${pointerSegment(name)}`);
      if (text !== null) entries.push([name, text]);
    }
    return Object.fromEntries(entries);
  };

const readList =
  <T>(walk: Walk, minimum: 0 | 1, read: (value: unknown, path: string) => T | null) =>
  (value: unknown, path: string): readonly T[] | null => {
    if (!Array.isArray(value)) return walk.invalid(path, "A list is expected here.");
    if (value.length < minimum) walk.invalid(path, "An empty list is not allowed here.");
    return value.flatMap((item: unknown, index) => {
      const result = read(item, `${path}/${index}`);
      return result === null ? [] : [result];
    });
  };

const readPolicy =
  (walk: Walk) =>
  (value: unknown, path: string): KeyPolicy | null => {
    if (isObject(value) && value.type === "explicit") {
      objectAt(walk, value, path, ["type"], []);
      return { type: "explicit" };
    }
    const object = objectAt(walk, value, path, ["type", "period", "timezone", "format"], []);
    const type = property(object, "type", path, readChoice(walk, ["scheduled_period", "explicit"] as const));
    const period = property(object, "period", path, readChoice(walk, ["day", "month"] as const));
    const timezone = property(object, "timezone", path, readText(walk, 1));
    const format = property(object, "format", path, readText(walk, 1));
    if (type !== "scheduled_period" || period === null || timezone === null || format === null) return null;
    return { type, period, timezone, format };
  };

const readLock =
  (walk: Walk) =>
  (value: unknown, path: string): NetworkDefinition["networkLock"] | null => {
    const object = objectAt(walk, value, path, ["lease_duration_sec", "heartbeat_interval_sec"], []);
    const leaseDurationSec = property(object, "lease_duration_sec", path, readPositiveInteger(walk));
    const heartbeatIntervalSec = property(object, "heartbeat_interval_sec", path, readPositiveInteger(walk));
    if (leaseDurationSec === null || heartbeatIntervalSec === null) return null;
    return { leaseDurationSec, heartbeatIntervalSec };
  };

const NODE_KEYS = ["id", "job_id", "sql", "depends_on", "trigger_rule", "idempotent"];

const readNode =
  (walk: Walk) =>
  (value: unknown, path: string): NodeDefinition | null => {
    const object = objectAt(walk, value, path, NODE_KEYS, ["inputs", "outputs"]);
    const id = property(object, "id", path, readIdentifier(walk));
    const jobId = property(object, "job_id", path, readIdentifier(walk));
    const sql = property(object, "sql", path, readText(walk, 1));
    const dependsOn = property(object, "depends_on", path, readList(walk, 0, readIdentifier(walk)));
    const triggerRule = property(object, "trigger_rule", path, readChoice(walk, TRIGGER_RULES));
    const idempotent = property(object, "idempotent", path, (flag, place) =>
      typeof flag === "boolean" ? flag : walk.invalid(place, "true or false is expected here."),
    );
    const inputs = property(object, "inputs", path, readPatterns(walk)) ?? {};
    const outputs = property(object, "outputs", path, readPatterns(walk)) ?? {};
    if (id === null || jobId === null || sql === null) return null;
    if (dependsOn === null || triggerRule === null || idempotent === null) return null;
    return { id, jobId, sql, dependsOn, triggerRule, idempotent, inputs, outputs };
  };

/**
 * Phase 1 of validation (orchestration §1.1, §1.2): the shape of a definition already parsed from YAML.
 * `definition` is null when there is any problem; codes `UNKNOWN_PROPERTY` and `SCHEMA_INVALID`.
 */
export function readNetworkDefinition(value: unknown): {
  readonly definition: NetworkDefinition | null;
  readonly problems: readonly NetworkProblem[];
} {
  const walk = createWalk();
  const required = ["schema_version", "network_id", "business_key_policy", "network_lock", "nodes"];
  const root = objectAt(walk, value, "$", required, ["description", "max_active_runs"]);
  const version = property(root, "schema_version", "$", (found, path) =>
    found === 1 ? (1 as const) : walk.invalid(path, "Only schema_version 1 is known."),
  );
  const networkId = property(root, "network_id", "$", readIdentifier(walk));
  const description = property(root, "description", "$", readText(walk, 0));
  const businessKeyPolicy = property(root, "business_key_policy", "$", readPolicy(walk));
  const maxActiveRuns = property(root, "max_active_runs", "$", readPositiveInteger(walk)) ?? 1;
  const networkLock = property(root, "network_lock", "$", readLock(walk));
  const nodes = property(root, "nodes", "$", readList(walk, 1, readNode(walk)));
  const incomplete =
    version === null ||
    networkId === null ||
    businessKeyPolicy === null ||
    networkLock === null ||
    nodes === null;
  if (incomplete || walk.problems.length > 0) return { definition: null, problems: walk.problems };
  return {
    definition: {
      schemaVersion: version,
      networkId,
      description,
      businessKeyPolicy,
      maxActiveRuns,
      networkLock,
      nodes,
    },
    problems: [],
  };
}
