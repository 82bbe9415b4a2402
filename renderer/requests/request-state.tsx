import { useTranslation } from "react-i18next";
import type { RequestListRow, RequestView } from "../../shared/api/index.ts";
import face from "../components/face.module.css";
import { type Look, Toned } from "../components/toned.tsx";
import styles from "./requests.module.css";

/** What stands in the column of states: the state of the record, and what makes it look otherwise. */
const SHOWN_STATES = [
  "REQUESTED",
  "ACCEPTED",
  "DONE",
  "REJECTED",
  "CANCELLED",
  "STALE",
  "silent",
  "cancelling",
  "unreadable",
] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/**
 * The state in the words of the screens (operator-ux §5.2): a rejection as STALE says that nobody knows the outcome, and
 * a claim that shows no life any more may come to the same. Pure.
 */
export function shownState(row: RequestListRow): ShownState {
  if (!row.readable) return "unreadable";
  const { state, resultCode, silent, cancelRequested } = row.request;
  if (state === "REJECTED" && resultCode === "STALE") return "STALE";
  if (silent) return "silent";
  return state === "REQUESTED" && cancelRequested ? "cancelling" : state;
}

/** The wire value behind the word, where there is one. */
export function wireState(row: RequestListRow): string | null {
  if (!row.readable) return row.record.state;
  const { state, resultCode } = row.request;
  return state === "REJECTED" && resultCode === "STALE" ? "STALE" : state;
}

const LOOK: Readonly<Record<ShownState, Look>> = {
  REQUESTED: { tone: "waiting", shape: <circle cx="8" cy="8" r="6.2" strokeDasharray="2.6 2.3" /> },
  ACCEPTED: {
    tone: "live",
    shape: (
      <>
        <circle cx="8" cy="8" r="6.2" />
        <path d="M6.4 5.2l4.4 2.8-4.4 2.8z" fill="currentColor" />
      </>
    ),
  },
  DONE: {
    tone: "success",
    shape: (
      <>
        <circle cx="8" cy="8" r="6.2" />
        <path d="M5 8.2l2.2 2.2 4-4.6" />
      </>
    ),
  },
  REJECTED: { tone: "failed", shape: <path d="M2.5 2.5h11v11h-11zM5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" /> },
  CANCELLED: {
    tone: "cancelled",
    shape: <path d="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM3.8 12.2l8.4-8.4" />,
  },
  cancelling: {
    tone: "cancelled",
    shape: <path d="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.6V8l2.4 1.6" />,
  },
  STALE: {
    tone: "unknown",
    shape: <path d="M8 .8L15.2 8 8 15.2.8 8zM6.3 6.4a1.75 1.75 0 1 1 2.6 1.5c-.6.35-.9.7-.9 1.3M8 11.2v.1" />,
  },
  silent: { tone: "suspect", shape: <path d="M8 1.6l6.8 12.2H1.2zM8 6.2v3.6M8 11.8v.1" /> },
  unreadable: { tone: "blocked", shape: <path d="M8 2.5l6 11H2z" /> },
};

/** Shape, word and tone of a state; no one of them alone (operator-ux §4, 1.4.1). */
export function RequestState({ row, large }: { readonly row: RequestListRow; readonly large?: boolean }) {
  const { t } = useTranslation();
  const state = shownState(row);
  const wire = wireState(row);
  return (
    <span className={styles.state} data-state={state}>
      <Toned look={LOOK[state]} large={large === true}>
        {t(`requests.state.${state}`)}
      </Toned>
      {large && wire !== null && <span className={face.code}>({wire})</span>}
    </span>
  );
}

/** What a request is about, in names: the Run's key where it is known, else its id, else the network. Pure. */
export function targetName({
  runId,
  networkId,
  businessKey,
  scheduledFor,
  rerunFromNode,
}: RequestView): string {
  const name = businessKey ?? runId ?? [networkId, scheduledFor].filter((part) => part !== null).join(" ");
  return rerunFromNode === null ? name : `${name} › ${rerunFromNode}`;
}
