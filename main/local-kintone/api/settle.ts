import type { AppState, FieldValue, FileValue, RecordValues, TableRow } from "../model.ts";
import { recordKey } from "../storage/render.ts";
import { type CheckedValue, type CheckedValues, isFiles, isPending, isRows } from "../values/checked.ts";
import type { Services } from "./services.ts";

/** Files a record holds, those in tables among them. */
export function filesOf(values: CheckedValues): readonly FileValue[] {
  return Object.values(values).flatMap((value) => {
    if (isRows(value)) return value.flatMap((row) => filesOf(row.values));
    return isFiles(value) ? value : [];
  });
}

interface Settling {
  readonly services: Services;
  readonly app: AppState;
  readonly id: number;
}

/** Files a field had: a request keeps one by sending its download key (kintone-rest §11). */
function had(before: CheckedValue | undefined): readonly FileValue[] {
  return isFiles(before) ? before : [];
}

function columnFiles(rows: CheckedValue | undefined, code: string): readonly FileValue[] {
  return isRows(rows) ? rows.flatMap((row) => had(row.values[code])) : [];
}

function settleRows(
  context: Settling,
  rows: Extract<CheckedValue, readonly { readonly id: string | null }[]>,
  before: CheckedValue | undefined,
): readonly TableRow[] {
  const { services, app } = context;
  return rows.map((row) => {
    const values: Record<string, FieldValue> = {};
    for (const [code, value] of Object.entries(row.values)) {
      values[code] = settleValue(context, value, columnFiles(before, code));
    }
    return { id: row.id ?? String(services.records.nextRowId(app)), values };
  });
}

function settleValue(context: Settling, value: CheckedValue, files: readonly FileValue[]): FieldValue {
  if (isPending(value)) {
    const { services, app, id } = context;
    return services.files.attach(recordKey(app.id, id), value.keys, files);
  }
  // Tables do not stand inside tables (fields/check.ts).
  return isRows(value) ? [] : value;
}

/**
 * Turns checked values into stored ones: attaches files, numbers new table rows, and forgets the files that were
 * replaced (kintone-rest §8.4, §11). Runs inside the write.
 */
export function settleValues(
  services: Services,
  app: AppState,
  target: { readonly id: number; readonly before: RecordValues | null },
  checked: CheckedValues,
): RecordValues {
  const context = { services, app, id: target.id };
  const values: Record<string, FieldValue> = {};
  for (const [code, value] of Object.entries(checked)) {
    const before = target.before?.[code];
    const isTable = app.fields.get(code)?.definition.type === "SUBTABLE";
    values[code] =
      isTable && isRows(value)
        ? settleRows(context, value, before)
        : settleValue(context, value, had(before));
  }
  if (target.before !== null) dropReplaced(services, target.before, values);
  return values;
}

function dropReplaced(services: Services, before: RecordValues, after: RecordValues): void {
  const replaced = filesOf(before);
  if (replaced.length === 0) return;
  const kept = new Set(filesOf(after).map((file) => file.fileKey));
  services.files.drop(replaced.map((file) => file.fileKey).filter((key) => !kept.has(key)));
}
