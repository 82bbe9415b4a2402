import type {
  AuditChain,
  AuditDetail,
  AuditFilter,
  AuditFormat,
  AuditPageOf,
  AuditPlace,
  SavedFile,
} from "../../../shared/api/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { auditFields, sha256sIn } from "../../../shared/records/index.ts";
import type { SavedFiles } from "../saved-files.ts";
import { checkEvidence } from "./evidence.ts";
import { exportHistory } from "./export.ts";
import { readHistory } from "./history.ts";
import type { HistorySource, JournalSource } from "./ports.ts";

export interface AuditDeps {
  readonly records: HistorySource;
  readonly journal: JournalSource;
  readonly files: SavedFiles;
  /** Where files given as proof are kept. Absolute. */
  readonly evidenceFolder: string;
  readonly workspace: { readonly profile: string; readonly baseUrl: string; readonly host: string };
  /** Removes every known secret from a value (electron-desktop S4). */
  readonly clean: (value: unknown) => unknown;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

export interface AuditPageWish {
  readonly filter: AuditFilter;
  readonly before: AuditPlace | null;
  readonly limit: number;
}

/** 監査履歴 as the pages ask for it. Everything only reads; what a source throws passes. */
export interface Audit {
  list(wish: AuditPageWish, signal?: AbortSignal): Promise<AuditPageOf>;
  /** One entry by its key, read anew. Code `RECORD_NOT_FOUND`. */
  entry(key: string, signal?: AbortSignal): Promise<Result<AuditDetail>>;
  chain(): Promise<AuditChain>;
  /** What a filter finds, as the text of a file. */
  text(filter: AuditFilter, format: AuditFormat, signal?: AbortSignal): Promise<string>;
  export(
    filter: AuditFilter,
    format: AuditFormat,
    signal?: AbortSignal,
  ): Promise<{ readonly file: SavedFile; readonly entries: number; readonly complete: boolean }>;
}

/** The history of what was done: audit app and this console's own journal side by side (operator-ux §2.5). */
export function createAudit(deps: AuditDeps): Audit {
  const isoNow = (): string => new Date(deps.nowMs()).toISOString();
  const chain = async (): Promise<AuditChain> => ({
    ...(await deps.journal.check()),
    checkedAt: isoNow(),
  });
  const made = (filter: AuditFilter, format: AuditFormat, signal?: AbortSignal) => {
    const read = (before: AuditPlace | null, limit: number) =>
      readHistory(deps, { filter, before, limit, signal });
    const { workspace, nowMs, clean } = deps;
    return exportHistory({ read, chain, workspace, filter, nowMs, clean }, format);
  };
  return {
    async list(wish, signal) {
      const { items, ...page } = await readHistory(deps, { ...wish, signal });
      return { ...page, entries: items.map(({ entry }) => entry) };
    },
    async entry(key, signal) {
      const [source = "", place = ""] = key.split("-");
      const from = source === "journal" ? deps.journal : deps.records;
      const item = await from.find(place, signal);
      if (item === null) {
        return fail({
          code: "RECORD_NOT_FOUND",
          message: `No entry of the history has the key ${key}.`,
          place: key,
          remedy: "It may belong to another workspace; look at the list.",
        });
      }
      const fields = auditFields(deps.clean(item.facts)).filter(({ name }) => name !== "");
      const evidence = await checkEvidence(deps.evidenceFolder, sha256sIn(fields), signal);
      return ok({ entry: item.entry, fields, evidence, problem: item.problem, readAt: isoNow() });
    },
    chain,
    text: async (filter, format, signal) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode((await made(filter, format, signal)).bytes),
    async export(filter, format, signal) {
      const { bytes, ...facts } = await made(filter, format, signal);
      const stamp = isoNow().replaceAll(/[-:]|\.\d+/g, "");
      const file = deps.files.keep({
        name: `flownet-audit-${stamp}.${format}`,
        type: format === "csv" ? "text/csv" : "application/json",
        bytes,
      });
      return { file, ...facts };
    },
  };
}
