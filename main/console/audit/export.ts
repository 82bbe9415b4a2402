import { createHash } from "node:crypto";
import type {
  AuditChain,
  AuditEntry,
  AuditFilter,
  AuditFormat,
  AuditPlace,
} from "../../../shared/api/index.ts";
import {
  AUDIT_EXPORT_KIND,
  type AuditExport,
  auditExport,
  canonicalJson,
} from "../../../shared/bundle/index.ts";
import { csvText } from "./csv.ts";
import type { HistoryPage } from "./history.ts";
import type { HistoryItem } from "./ports.ts";

/** Most entries of one export; a longer history is exported by its filters. */
const EXPORT_MOST = 20_000;
const PAGE = 200;

export interface ExportDeps {
  readonly read: (before: AuditPlace | null, limit: number) => Promise<HistoryPage>;
  readonly chain: () => Promise<AuditChain>;
  readonly workspace: { readonly profile: string; readonly baseUrl: string; readonly host: string };
  readonly filter: AuditFilter;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** Removes every known secret from a value (electron-desktop S4). */
  readonly clean: (value: unknown) => unknown;
}

export interface ExportedHistory {
  readonly bytes: Uint8Array;
  readonly entries: number;
  /** False where the history goes on behind the last entry. */
  readonly complete: boolean;
}

/** The history a filter finds as one file, read page by page (operator-ux §2.5). Throws what the reading throws. */
export async function exportHistory(deps: ExportDeps, format: AuditFormat): Promise<ExportedHistory> {
  const items: HistoryItem[] = [];
  let before: AuditPlace | null = null;
  let complete = false;
  while (!complete && items.length < EXPORT_MOST) {
    const page = await deps.read(before, PAGE);
    items.push(...page.items);
    before = page.next;
    complete = before === null;
  }
  const text = format === "csv" ? csvOf(items, deps) : await jsonOf(items, deps, complete);
  return { bytes: new TextEncoder().encode(text), entries: items.length, complete };
}

const COLUMNS = [
  "key",
  "source",
  "order",
  "revision",
  "kind",
  "detail",
  "at",
  "precision",
  "networkId",
  "businessKey",
  "runId",
  "nodeId",
  "account",
  "who",
  "confirmedBy",
  "approvedBy",
  "principal",
  "result",
  "reason",
] as const satisfies readonly (keyof AuditEntry)[];

function csvOf(items: readonly HistoryItem[], { clean }: ExportDeps): string {
  const rows = items.map(({ entry, facts, problem }) => [
    ...COLUMNS.map((column) => cleanText(entry[column], clean)),
    JSON.stringify(clean(problem ?? facts)),
  ]);
  return csvText([[...COLUMNS, "facts"], ...rows]);
}

function cleanText(
  value: string | number | null,
  clean: (value: unknown) => unknown,
): string | number | null {
  const cleaned = typeof value === "string" ? clean(value) : value;
  return typeof cleaned === "string" || typeof cleaned === "number" ? cleaned : null;
}

/** Each entry carries the hash of itself and of the one before: a line taken out or changed is seen. */
async function jsonOf(items: readonly HistoryItem[], deps: ExportDeps, complete: boolean): Promise<string> {
  let previous = "0".repeat(64);
  const entries = items.map(({ entry, facts, problem }): AuditExport["entries"][number] => {
    const content = { entry: { ...entry }, facts: deps.clean(facts), problem: deps.clean(problem) };
    const hash = chainHash(previous, content);
    const linked = { ...content, previous, hash };
    previous = hash;
    return linked;
  });
  const content: AuditExport = {
    kind: AUDIT_EXPORT_KIND,
    formatVersion: 1,
    exportedAt: new Date(deps.nowMs()).toISOString(),
    workspace: deps.workspace,
    filter: deps.filter,
    complete,
    journal: await deps.chain(),
    entries,
    head: previous,
  };
  return `${JSON.stringify(auditExport.parse(content), null, 2)}\n`;
}

/** The hash an entry of an export carries: SHA-256 of the one before and the entry's canonical JSON. */
export function chainHash(previous: string, content: unknown): string {
  const json = canonicalJson(JSON.parse(JSON.stringify(content)));
  return createHash("sha256").update(`${previous}\n${json}`).digest("hex");
}
