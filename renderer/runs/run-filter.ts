import { RUN_SORTS, type RunSort } from "../../shared/api/index.ts";
import { ACTIVITIES, type Activity, RUN_STATUSES, type RunStatus } from "../../shared/domain/model.ts";

export const RUN_VIEWS = ["list", "grid"] as const;
export type RunView = (typeof RUN_VIEWS)[number];

/** What the Run list shows, as its address says; absent means "all" or the usual. */
export interface RunFilter {
  readonly networkId?: string;
  readonly status?: RunStatus;
  readonly activity?: Activity;
  /** Looked for in business key, network and Run id. */
  readonly text?: string;
  /** First and last day of creation, `YYYY-MM-DD` in the window's zone. */
  readonly from?: string;
  readonly to?: string;
  readonly sort?: RunSort;
  readonly view?: RunView;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const oneOf = <T extends string>(known: readonly T[], text: string | null): T | undefined =>
  known.find((each) => each === text);

/** The filter of an address; a value that is none of ours counts as absent (electron-desktop P7). */
export function readRunFilter(query: URLSearchParams): RunFilter {
  const day = (name: string): string | undefined => {
    const text = query.get(name);
    return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  };
  const short = (name: string): string | undefined => query.get(name)?.slice(0, 200) || undefined;
  return withoutAbsent({
    networkId: short("network"),
    status: oneOf(RUN_STATUSES, query.get("status")),
    activity: oneOf(ACTIVITIES, query.get("activity")),
    text: short("q"),
    from: day("from"),
    to: day("to"),
    sort: oneOf(RUN_SORTS, query.get("sort")),
    view: oneOf(RUN_VIEWS, query.get("view")),
  });
}

/** The parameters of a filter's address; `readRunFilter` gives the filter back. */
export function writeRunFilter(filter: RunFilter): URLSearchParams {
  const query = new URLSearchParams();
  const { networkId, text, ...rest } = filter;
  if (networkId) query.set("network", networkId);
  if (text) query.set("q", text);
  for (const [name, value] of Object.entries(rest)) if (value) query.set(name, value);
  return query;
}

/** A filter with a change applied; an empty value takes the condition away. */
export function changedFilter(
  filter: RunFilter,
  change: { readonly [Name in keyof RunFilter]?: RunFilter[Name] | undefined },
): RunFilter {
  return withoutAbsent({ ...filter, ...change });
}

/** Whether anything but order and view narrows the list. */
export function narrows({ sort: _, view: __, ...conditions }: RunFilter): boolean {
  return Object.keys(conditions).length > 0;
}

function withoutAbsent(
  filter: {
    readonly [Name in keyof RunFilter]?: RunFilter[Name] | undefined;
  },
): RunFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(given);
}
