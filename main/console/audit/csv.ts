/** What a spreadsheet takes for the start of a formula, also in full width and behind what it does not show. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u;

/** One cell: quoted where it must be, and never a formula, whoever wrote it. Pure. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table for a spreadsheet: UTF-8 with the mark Excel looks for, lines ended as it writes them (operator-ux §5.1). Pure. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("")}`;
}
