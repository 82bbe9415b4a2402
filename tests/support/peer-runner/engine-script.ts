/** One statement of the small language the stand-in engine runs: what the comparisons with the peer need. */
export interface PeerStatement {
  readonly type: "SELECT" | "ASSERT" | "EXIT" | "INSERT";
  readonly check: PeerCheck | null;
  readonly message: string;
  readonly app: number | null;
  readonly fields: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface PeerCheck {
  readonly text: string;
  readonly left: { readonly count: number } | { readonly value: string };
  readonly operator: string;
  readonly right: string;
}

export interface PeerDiagnostic {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface PeerScript {
  readonly meta: {
    readonly name: string | null;
    readonly dependsOn: readonly string[];
    readonly timeout: number | null;
    readonly dialect: number;
  };
  readonly statements: readonly PeerStatement[];
  readonly statementRanges: readonly { readonly start: number; readonly end: number }[];
  readonly diagnostics: readonly PeerDiagnostic[];
}

type Apps = Readonly<Record<string, number>>;

const header = (source: string, key: string): string | null =>
  new RegExp(`^-- @ksql ${key}:\\s*([^#\\n]*)`, "m").exec(source)?.[1]?.trim() ?? null;

function appId(name: string, apps: Apps): number {
  const found = Object.entries(apps).find(([known]) => known === name);
  if (found === undefined) throw new Error(`LAPP_${name} is not defined`);
  return found[1];
}

const COUNT = /^SELECT COUNT\(\*\) FROM LAPP_([^\s()]+)$/;
const CHECK = /^(ASSERT|EXIT SUCCESS IF) (.+?) (=|<>|<|>) (\d+)\s*,\s*'([^']*)'$/s;
const INSERT = /^INSERT INTO LAPP_([^\s()]+) \(([^)]*)\) VALUES (.+)$/s;

const cells = (list: string): readonly string[] =>
  list.split(",").map((cell) => cell.trim().replace(/^'|'$/g, ""));

function parseStatement(text: string, apps: Apps): PeerStatement {
  const none = { check: null, message: "", app: null, fields: [], rows: [] };
  const count = COUNT.exec(text);
  if (count !== null) return { ...none, type: "SELECT", app: appId(count[1] ?? "", apps) };
  const check = CHECK.exec(text);
  if (check !== null) {
    const [, verb, left = "", operator = "", right = "", message = ""] = check;
    const subquery = COUNT.exec(left.replace(/^\(|\)$/g, ""));
    const counted = subquery === null ? { value: left } : { count: appId(subquery[1] ?? "", apps) };
    return {
      ...none,
      type: verb === "ASSERT" ? "ASSERT" : "EXIT",
      check: { text: `${left} ${operator} ${right}`, left: counted, operator, right },
      message,
    };
  }
  const insert = INSERT.exec(text);
  if (insert === null) throw new Error(`not understood: ${text}`);
  const rows = [...(insert[3] ?? "").matchAll(/\(([^)]*)\)/g)].map((row) => cells(row[1] ?? ""));
  return {
    ...none,
    type: "INSERT",
    app: appId(insert[1] ?? "", apps),
    fields: cells(insert[2] ?? ""),
    rows,
  };
}

/** Splits and reads a script; what it cannot read becomes one KSQL1202, as the real engine answers syntax errors. */
export function parsePeerScript(source: string, apps: Apps): PeerScript {
  const timeout = header(source, "timeout");
  const statements: PeerStatement[] = [];
  const statementRanges: { start: number; end: number }[] = [];
  const diagnostics: PeerDiagnostic[] = [];
  const body = source.replace(/^--.*$/gm, (comment) => " ".repeat(comment.length));
  for (const part of body.matchAll(/[^;]+/g)) {
    const text = part[0].trim();
    if (text === "") continue;
    const start = part.index + part[0].indexOf(text);
    try {
      statements.push(parseStatement(text, apps));
      statementRanges.push({ start, end: start + text.length });
    } catch (error) {
      const line = source.slice(0, start).split("\n").length;
      const message = error instanceof Error ? error.message : String(error);
      diagnostics.push({ code: "KSQL1202", severity: "error", line, column: 1, message });
    }
  }
  return {
    meta: {
      name: header(source, "name"),
      dependsOn: [],
      timeout: timeout === null ? null : Number(timeout),
      dialect: 1,
    },
    statements: diagnostics.length > 0 ? [] : statements,
    statementRanges,
    diagnostics,
  };
}

/** Whether a check holds over the value its left side came to. */
export function holds({ operator, right }: PeerCheck, left: string): boolean {
  const [a, b] = [Number(left), Number(right)];
  if (operator === "=") return a === b;
  if (operator === "<>") return a !== b;
  return operator === "<" ? a < b : a > b;
}
