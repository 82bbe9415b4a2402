import type { TFunction } from "i18next";
import { INTENT_KINDS, type OperationKind } from "../../shared/api/index.ts";
import { markedText } from "../text/marks.ts";

/** The verb of an operation, as its dialog says it. */
export function verbOf(kind: OperationKind, t: TFunction): string {
  const known = INTENT_KINDS.find((each) => each === kind);
  return known === undefined ? kind : t(`action.kind.${known}.verb`);
}

interface Named {
  readonly networkId: string | null;
  readonly businessKey: string | null;
  readonly runId: string | null;
  readonly nodeId: string | null;
  readonly jobKey: string | null;
}

/** What it was about, from the largest to the smallest; the texts of others come with their marks. */
export const subjectOf = ({ networkId, businessKey, runId, nodeId, jobKey }: Named): string =>
  [networkId, businessKey ?? runId, nodeId, jobKey]
    .filter((part) => part !== null && part !== "")
    .map((part) => markedText(part ?? "", true))
    .join(" / ");
