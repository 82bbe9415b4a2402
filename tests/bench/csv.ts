import iconv from "iconv-lite";
import { openCsvWorkspace } from "../support/csv-workspace.ts";
import { perSecond, printTable } from "./machine.ts";

const ROWS = 10_000;
/** Wide enough that 10,000 rows come near the 10 MiB a source may have (execution-contract section 4.3). */
const NAME = "株式会社サンプル商会・本店営業部".repeat(20);
const IMPORT = "IMPORT INTO LAPP_注文 (注文番号, 得意先, 金額) FROM CSV orders";

function csvOf(encoding: "UTF8" | "SJIS"): Buffer {
  const lines = Array.from({ length: ROWS }, (_, at) => `${encoding}-${at},${NAME},${at}`);
  const text = `${["番号,客,円", ...lines].join("\r\n")}\r\n`;
  return encoding === "UTF8" ? Buffer.from(text) : iconv.encode(text, "cp932");
}

/** Imports of 10,000 rows as whole Runs (orchestration section 10, scenario 39); prints, never judges. */
export async function benchCsv(): Promise<void> {
  const rows = [];
  const bench = await openCsvWorkspace();
  try {
    for (const encoding of ["UTF8", "SJIS"] as const) {
      const csv = csvOf(encoding);
      const id = `import_${encoding.toLowerCase()}`;
      await bench.put(`${id}.csv`, csv);
      const sql = `${IMPORT} ENCODING ${encoding} ON DUPLICATE (注文番号);`;
      const file = await bench.network(id, [{ id: "load", sql, inputs: { orders: `${id}.csv` } }]);
      const startedAt = performance.now();
      const result = await bench.run(file);
      const ms = performance.now() - startedAt;
      const [attempt] = (await bench.graph(result)).attempts;
      if (result.aggregateStatus !== "SUCCESS" || attempt?.writtenCount !== ROWS) {
        throw new Error(
          `the import ended as ${result.invocationResultCode}, ${attempt?.writtenCount} rows written`,
        );
      }
      rows.push({
        encoding,
        MiB: (csv.length / 2 ** 20).toFixed(1),
        rows: ROWS,
        "Run, s": (ms / 1000).toFixed(1),
        "job, s": (attempt.durationSec ?? 0).toFixed(1),
        "rows/s": perSecond(ROWS, (attempt.durationSec ?? 0) * 1000),
        "ours and the server's, MiB": Math.round(process.memoryUsage().rss / 2 ** 20),
      });
    }
  } finally {
    await bench.dispose();
  }
  printTable("CSV import of 10,000 rows into an empty key, one Run each", rows);
}
