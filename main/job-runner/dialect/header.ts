import { CODES, type Diagnostic } from "./diagnostic.ts";

/** What the comment lines at the top of a script say (job-dialect §2.1). */
export interface Header {
  /** Null when absent: the job is then called like its file. */
  readonly name: string | null;
  readonly dependsOn: readonly string[];
  readonly timeoutSec: number | null;
  readonly dialect: 0 | 1;
}

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly line: number;
  readonly column: number;
}

const ENTRY = /^(\s*--\s*)@ksql\s+([^:]*?)\s*:(.*)$/;
const KNOWN = ["name", "depends_on", "timeout", "dialect"];
const TIMEOUT = /^[1-9][0-9]*$/;

function readEntries(source: string): readonly Entry[] {
  const entries: Entry[] = [];
  const lines = source.replace(/^\ufeff/, "").split("\n");
  for (const [index, raw] of lines.entries()) {
    const line = raw.replace(/\r$/, "");
    if (!line.trimStart().startsWith("--")) break;
    const match = ENTRY.exec(line);
    if (match === null) continue;
    const value = (match[3] ?? "").split("#")[0] ?? "";
    entries.push({
      key: (match[2] ?? "").toLowerCase(),
      value: value.trim(),
      line: index + 1,
      column: (match[1] ?? "").length + 1,
    });
  }
  return entries;
}

function parseList(value: string): readonly string[] {
  return value.split(",").map((item) => item.trim());
}

function checkEntry(entry: Entry): { readonly code: string; readonly message: string } | null {
  if (entry.key === "name" && entry.value === "") {
    return { code: CODES.badName, message: "The header @ksql name is empty." };
  }
  if (entry.key === "depends_on" && parseList(entry.value).includes("")) {
    return { code: CODES.badDependsOn, message: "The header @ksql depends_on has an empty item." };
  }
  if (entry.key === "timeout" && !(TIMEOUT.test(entry.value) && Number.isSafeInteger(Number(entry.value)))) {
    return { code: CODES.badTimeout, message: "The header @ksql timeout must be whole seconds, 1 or more." };
  }
  if (entry.key === "dialect" && entry.value !== "0" && entry.value !== "1") {
    return { code: CODES.badDialect, message: "The header @ksql dialect must be 0 or 1." };
  }
  return null;
}

/** Reads the header (job-dialect §2.1): the first entry of a key wins; problems are KSQL1001 to KSQL1006. */
export function parseHeader(source: string): {
  readonly header: Header;
  readonly diagnostics: readonly Diagnostic[];
} {
  const values = new Map<string, string>();
  const seen = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const entry of readEntries(source)) {
    const report = (code: string, severity: Diagnostic["severity"], message: string): void => {
      diagnostics.push({ code, severity, line: entry.line, column: entry.column, message });
    };
    if (!KNOWN.includes(entry.key)) {
      report(CODES.unknownHeader, "warning", `The header key "${entry.key}" is unknown and ignored.`);
    } else if (seen.has(entry.key)) {
      report(
        CODES.repeatedHeader,
        "warning",
        `The header key "${entry.key}" is repeated; the first one counts.`,
      );
    } else {
      seen.add(entry.key);
      const problem = checkEntry(entry);
      if (problem === null) values.set(entry.key, entry.value);
      else report(problem.code, "error", problem.message);
    }
  }
  const dependsOn = values.get("depends_on");
  const timeout = values.get("timeout");
  return {
    header: {
      name: values.get("name") ?? null,
      dependsOn: dependsOn === undefined ? [] : parseList(dependsOn),
      timeoutSec: timeout === undefined ? null : Number(timeout),
      dialect: values.get("dialect") === "1" ? 1 : 0,
    },
    diagnostics,
  };
}
