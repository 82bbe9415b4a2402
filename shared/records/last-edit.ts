import { z } from "zod";
import type { RecordEdit } from "../domain/model.ts";

const modifier = z.object({
  type: z.literal("MODIFIER"),
  value: z.object({ code: z.string(), name: z.string() }),
});
const updated = z.object({ type: z.literal("UPDATED_TIME"), value: z.string() });

/**
 * Who changed a record last and when, by kintone's own fields, or null. They are found by their type: their codes follow
 * the language the app was made in. Display only (orchestration §11.1, "a human edits a Node State record").
 */
export function lastEdit(wire: unknown): RecordEdit | null {
  if (typeof wire !== "object" || wire === null) return null;
  const cells = Object.values(wire);
  const by = cells.map((cell) => modifier.safeParse(cell).data).find((cell) => cell !== undefined);
  if (by === undefined) return null;
  const at = cells.map((cell) => updated.safeParse(cell).data).find((cell) => cell !== undefined);
  return { code: by.value.code, name: by.value.name, at: at?.value ?? null };
}
