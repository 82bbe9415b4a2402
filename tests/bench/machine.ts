import os from "node:os";

/** One line about where the figures were taken: a figure without its machine says nothing. */
export function machineLine(): string {
  const [cpu] = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${os.cpus().length} x ${cpu?.model.trim() ?? "unknown processor"}, ${memory} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}`;
}

/** Right-aligned columns under a header, for people. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? "")))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const line of cells) {
    console.log(
      line
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  "),
    );
  }
}

export const perSecond = (count: number, ms: number): number => Math.round((count * 1000) / ms);
