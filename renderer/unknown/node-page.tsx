import { Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { UnknownDetail } from "../../shared/api/index.ts";
import { ActionPanel } from "../action/action-panel.tsx";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Split } from "../components/split.tsx";
import { useEscape } from "../components/use-escape.ts";
import { useStaleness, useStores } from "../state/context.tsx";
import { type DoubtfulNode, nodeKey } from "../state/unknown.ts";
import { BusinessData } from "./business-data.tsx";
import { Decisions } from "./decisions.tsx";
import { EvidenceMatrix } from "./evidence-matrix.tsx";
import { Forecast } from "./forecast.tsx";
import { NodeHead } from "./node-head.tsx";
import { Outcomes } from "./outcomes.tsx";
import styles from "./unknown.module.css";

/** Per cent of the width the form has beside the evidence. */
const FORM_SHARE = 45;

/** One node whose end is in doubt; the form of its resolution opens beside the evidence it rests on. */
export function NodePage({ node }: { readonly node: DoubtfulNode }) {
  const { t } = useTranslation();
  const { unknown } = useStores();
  const detail = useStore(unknown.store, (state) => state.detail);
  const { runId, nodeId } = node;
  useEffect(() => {
    void unknown.open({ runId, nodeId });
    return () => unknown.close();
  }, [unknown, runId, nodeId]);
  const form = useForm(node);
  useEscape(() => (form.open ? form.close() : goTo({ page: "unknowns" })));
  return (
    <div className={page.page}>
      <div>
        <a className={link.crumb} href={routeHash({ page: "unknowns" })}>
          {t("unknown.back")}
        </a>
      </div>
      {detail.problem && (
        <ProblemPanel
          problem={detail.problem}
          action={{ label: t("problem.retry"), run: () => void unknown.read() }}
        />
      )}
      {detail.value === null && detail.problem === null && (
        <Spinner size="tiny" label={t("unknown.detail.reading")} labelPosition="after" />
      )}
      {detail.value && (
        <Split
          id="unknown"
          usualShare={FORM_SHARE}
          detail={form.open ? <ActionPanel onClose={form.close} /> : null}
          detailKey={form.open ? nodeKey(node) : null}
          detailLabel={t("unknown.resolve.panel")}
          onClose={form.close}
        >
          <Everything detail={detail.value} busy={detail.phase === "loading"} />
        </Split>
      )}
    </div>
  );
}

/** Whether the form that is open is this node's; leaving the page closes it, and what was filled in stays (operator-ux D7). */
function useForm({ runId, nodeId }: DoubtfulNode): { readonly open: boolean; readonly close: () => void } {
  const { action } = useStores();
  const open = useStore(action.store, ({ draft, place }) => {
    const intent = draft?.intent;
    return (
      place === "page" && intent?.kind === "resolve" && intent.runId === runId && intent.nodeId === nodeId
    );
  });
  useEffect(() => {
    const key = nodeKey({ runId, nodeId });
    return () => {
      const { draft, place } = action.store.getState();
      const intent = draft?.intent;
      if (place === "page" && intent?.kind === "resolve" && nodeKey(intent) === key) action.close();
    };
  }, [action, runId, nodeId]);
  return { open, close: action.close };
}

function Everything({ detail, busy }: { readonly detail: UnknownDetail; readonly busy: boolean }) {
  const staleness = useStaleness();
  const old = staleness === "stale" || staleness === "lost";
  const decidable = detail.kind === "unknown" || detail.kind === "ranOnce";
  return (
    <div className={`${styles.everything} ${old ? page.stale : ""}`}>
      <NodeHead detail={detail} />
      {detail.evidence.length > 0 && <EvidenceMatrix detail={detail} busy={busy} />}
      {detail.kind === "orphan" && <Forecast detail={detail} />}
      {detail.attempt !== null && <BusinessData node={detail} />}
      {decidable && <Outcomes detail={detail} />}
      {detail.resolutions.length > 0 && <Decisions decisions={detail.resolutions} />}
    </div>
  );
}
