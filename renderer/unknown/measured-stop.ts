import type { TFunction } from "i18next";
import type { UnknownDetail } from "../../shared/api/index.ts";

/** What was measured of the attempt's process, in one sentence for the record; empty where nothing proves its end. */
export function measuredStop(detail: UnknownDetail, t: TFunction): string {
  const row = detail.evidence.find(({ evidence }) => evidence === "child");
  if (row === undefined) return "";
  const told = (name: string): string => row.values.find((each) => each.name === name)?.value ?? "";
  const pid = told("pid");
  const facts = {
    pid,
    start: told("processStart"),
    host: row.host ?? detail.thisHost,
    time: row.readAt,
  };
  switch (row.shows) {
    case "childGone":
      return t(pid === "" ? "unknown.resolve.measured.none" : "unknown.resolve.measured.gone", facts);
    case "childReplaced":
      return t("unknown.resolve.measured.replaced", facts);
    case "childNeverWas":
      return t("unknown.resolve.measured.never", facts);
    default:
      return "";
  }
}
