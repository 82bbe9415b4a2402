import { flatten } from "../fields/index.ts";
import type { AppState, FieldDefinition } from "../model.ts";
import type { Preview } from "../storage/previews.ts";

/** What a deploy does to the records of its app. */
export interface RecordChanges {
  /** New code by live code, for fields that stay; a code that is missing here goes away with its values. */
  readonly kept: ReadonlyMap<string, string>;
  /** True when stored bodies have to be read and written anew, because codes changed or went away. */
  readonly rewrite: boolean;
  /** Codes of top-level fields whose limits changed: stored values have to be looked at. */
  readonly tightened: readonly string[];
  /** True when the form differs at all: bodies rendered for the old one are then rendered anew when read. */
  readonly formChanged: boolean;
}

/** Keys whose change concerns stored values. An option that goes away leaves the values that name it. */
const LIMITS = ["unique", "minLength", "maxLength", "minValue", "maxValue"] as const;

/** True when a changed definition may refuse values that are stored (kintone-rest §12). */
function isTighter(before: FieldDefinition, after: FieldDefinition): boolean {
  return LIMITS.some((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** Compares what is live with what is to become live. */
export function planRecordChanges(live: AppState, preview: Preview): RecordChanges {
  const definitions = Array.from(live.fields.values(), (field) => field.definition);
  const before = new Map(flatten(definitions).map((definition) => [definition.code, definition]));
  const kept = new Map<string, string>();
  const tightened: string[] = [];
  let rewrite = false;
  for (const after of flatten(preview.definitions)) {
    const origin = preview.origins.get(after.code);
    const old = origin === undefined ? undefined : before.get(origin);
    if (origin === undefined || old === undefined) continue;
    kept.set(origin, after.code);
    if (origin !== after.code) rewrite = true;
    if (live.fields.has(origin) && isTighter(old, after)) tightened.push(after.code);
  }
  const form = (list: readonly FieldDefinition[], system: AppState["system"], process: unknown): string =>
    JSON.stringify([list, system, process]);
  return {
    kept,
    rewrite: rewrite || kept.size < before.size,
    tightened,
    formChanged:
      form(definitions, live.system, live.settings.process.enable) !==
      form(preview.definitions, preview.system, preview.settings.process.enable),
  };
}

/** Moves the members of a stored body to the codes they have after a deploy; values of dropped fields go. */
export function moveMembers(
  live: AppState,
  kept: ReadonlyMap<string, string>,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const moved: Record<string, unknown> = {};
  for (const [code, entry] of Object.entries(body)) {
    const field = live.fields.get(code);
    const target = field === undefined ? code : kept.get(code);
    if (target === undefined) continue;
    moved[target] = field !== undefined && field.columns.size > 0 ? moveRows(kept, entry) : entry;
  }
  return moved;
}

function moveRows(kept: ReadonlyMap<string, string>, entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null || !("value" in entry) || !Array.isArray(entry.value)) {
    return entry;
  }
  const rows: readonly unknown[] = entry.value;
  return { ...entry, value: rows.map((row) => moveRow(kept, row)) };
}

function moveRow(kept: ReadonlyMap<string, string>, row: unknown): unknown {
  if (typeof row !== "object" || row === null || !("value" in row)) return row;
  const { value } = row;
  if (typeof value !== "object" || value === null) return row;
  const cells = Object.entries(value).flatMap(([code, cell]) => {
    const target = kept.get(code);
    return target === undefined ? [] : [[target, cell] as const];
  });
  return { ...row, value: Object.fromEntries(cells) };
}
