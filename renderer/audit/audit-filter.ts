import { AUDIT_KINDS, type AuditFilter } from "../../shared/api/index.ts";

/** The filter of an address; a value that is none of ours counts as absent (electron-desktop P7). */
export function readAuditFilter(query: URLSearchParams): AuditFilter {
  const short = (name: string): string | undefined => query.get(name)?.slice(0, 200) || undefined;
  return changedAudit(
    {},
    {
      networkId: short("network"),
      run: short("run"),
      who: short("who"),
      kind: AUDIT_KINDS.find((each) => each === query.get("kind")),
    },
  );
}

/** The parameters of a filter's address; `readAuditFilter` gives the filter back. */
export function writeAuditFilter({ networkId, run, who, kind }: AuditFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (networkId !== undefined) query.set("network", networkId);
  if (run !== undefined) query.set("run", run);
  if (who !== undefined) query.set("who", who);
  if (kind !== undefined) query.set("kind", kind);
  return query;
}

/** A filter with a change applied; an empty value takes the condition away. */
export function changedAudit(
  filter: AuditFilter,
  change: { readonly [Name in keyof AuditFilter]?: AuditFilter[Name] | undefined },
): AuditFilter {
  const given = Object.entries({ ...filter, ...change }).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  return Object.fromEntries(given);
}

/** The key of an entry in an address. */
export const auditKeyOf = (text: string): string | null =>
  /^(record|journal)-\d{1,20}$/.test(text) ? text : null;
