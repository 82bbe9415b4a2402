import type { Attempt, Resolution, Stored } from "../../../shared/domain/model.ts";
import { auditQueries, inLists, keysetPage, resolutionCodec } from "../../../shared/records/index.ts";
import { pageById, type RawRecord, type ReadDeps } from "../../kintone-client/index.ts";
import { decoded } from "./sort-rows.ts";

const WHAT = "list Resolutions";

/** Reads of Resolutions, which name their Attempt and no Run (wire-format §1.2); those of other Attempts are left out. */
export function createResolutionReads(deps: ReadDeps, auditApp: number) {
  async function rows(
    condition: string,
    pagesMax: number,
    signal?: AbortSignal,
  ): Promise<RawRecord[] | null> {
    const found: RawRecord[] = [];
    const page = (after: string, limit: number): string => keysetPage(`(${condition})`, after, limit);
    let pages = 0;
    for await (const records of pageById(
      deps,
      { app: auditApp, page, what: WHAT },
      signal ? { signal } : {},
    )) {
      pages += 1;
      if (pages > pagesMax) return null;
      found.push(...records);
    }
    return found;
  }

  /** A stranger's record that cannot be read is no reason to stop at this Run. */
  function of(wanted: ReadonlySet<string>, raw: readonly RawRecord[]): readonly Stored<Resolution>[] {
    return raw
      .filter((row) => wanted.has(resolutionCodec.attemptIdOf(row) ?? ""))
      .map((row) => decoded(resolutionCodec.decode(row)));
  }

  /** By lists of ids, a request each. */
  async function byIds(attemptIds: readonly string[], signal?: AbortSignal) {
    const wanted = new Set(attemptIds);
    const found: Stored<Resolution>[] = [];
    for (const list of inLists([...wanted])) {
      const raw = await rows(auditQueries.resolutions(list), Number.POSITIVE_INFINITY, signal);
      found.push(...of(wanted, raw ?? []));
    }
    return found;
  }

  return {
    byIds,
    /**
     * Of the Attempts of one Run, in the order of their records. Many are not asked for by lists: a Resolution stands
     * behind its Attempt in the same app, and people write few, so that one page behind the first Attempt has nearly
     * always all of them. Should there be more pages than lists, the lists are asked after all.
     */
    async ofRun(
      attempts: readonly Pick<Stored<Attempt>, "attemptId" | "ref">[],
      signal?: AbortSignal,
    ): Promise<readonly Stored<Resolution>[]> {
      const ids = attempts.map(({ attemptId }) => attemptId);
      const lists = inLists(ids).length;
      const [first] = attempts;
      if (lists <= 1 || first === undefined) return byIds(ids, signal);
      const raw = await rows(auditQueries.resolutionsAfter(first.ref.recordId), lists - 1, signal);
      return raw === null ? byIds(ids, signal) : of(new Set(ids), raw);
    },
  };
}
