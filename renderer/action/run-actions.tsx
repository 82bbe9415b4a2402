import {
  Button,
  Menu,
  type MenuButtonProps,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  SplitButton,
} from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RunDetail, RunRow } from "../../shared/api/index.ts";
import { useLanguage, useStores } from "../state/context.tsx";
import { PLANNED_KINDS } from "../state/run-plans.ts";
import styles from "./action.module.css";
import { DangerIcon } from "./danger-mark.tsx";
import { doesNothing, RUN_KINDS, type RunKind, runIntent } from "./names.ts";
import { refusalText } from "./refusals.tsx";
import { auditIntent, mainKind, mayResume, rerunIntent } from "./run-choice.ts";

/**
 * What can be done to the open Run: the usual thing on the button, with how many nodes run and stay, the rest in its
 * menu, each with its one line; what is not possible stays in sight with its reasons (operator-ux §1.2, D11).
 */
export function RunActions({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const { action, runPlans } = useStores();
  const { run } = detail;
  const main = mainKind(run);
  useCount(run);
  const open = (kind: RunKind): void =>
    void action.open(runIntent(kind, run.runId), { subject: { ...subjectOf(run) } });
  const name = useMainName(main);
  return (
    <Menu
      // Within the page's landmark, where a screen reader looks for it.
      inline
      positioning="below-end"
      onOpenChange={(_, data) => {
        if (data.open) void runPlans.want(PLANNED_KINDS);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        {(trigger: MenuButtonProps) =>
          main === null ? (
            <Button {...trigger}>{t("action.menu.open")}</Button>
          ) : (
            <SplitButton
              appearance="primary"
              menuButton={{ ...trigger, "aria-label": t("action.menu.more") }}
              primaryActionButton={{ onClick: () => open(main) }}
            >
              {name}
            </SplitButton>
          )
        }
      </MenuTrigger>
      <MenuPopover className={styles.menu}>
        <MenuList>
          {RUN_KINDS.filter((kind) => kind !== "close").map((kind) => (
            <RunItem key={kind} kind={kind} onOpen={() => open(kind)} />
          ))}
          <RerunItem detail={detail} />
          {/* What cannot be taken back stands apart from what can (operator-ux D2). */}
          <MenuDivider />
          <RunItem kind="close" onOpen={() => open("close")} />
          <AuditItem run={run} />
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

const subjectOf = ({ runId, businessKey, networkId, profile }: RunRow) => ({
  runId,
  businessKey,
  networkId,
  profile,
});

/** Changes that come together are one change; milliseconds. */
const PAUSE_MS = 800;

/** Reads the plan behind the count once a Run is open that may be resumed, and again after the Run changed. */
function useCount(run: RunRow): void {
  const { runPlans } = useStores();
  const { runId } = run;
  const wanted = mayResume(run);
  const unread = useStore(runPlans.store, ({ plans }) => plans.resume.phase === "idle");
  useEffect(() => {
    runPlans.open(runId);
    return () => runPlans.close();
  }, [runPlans, runId]);
  useEffect(() => {
    if (!wanted || !unread) return;
    const known = runPlans.store.getState().plans.resume.value !== null;
    const timer = setTimeout(() => void runPlans.want(["resume"]), known ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [runPlans, wanted, unread]);
}

/** 「再開する: 2ノード実行・3ノード保持」 once the plan is there. */
function useMainName(kind: RunKind | null): string {
  const { t } = useTranslation();
  const plan = useStore(useStores().runPlans.store, ({ plans }) => plans.resume.value?.plan);
  if (kind === null) return "";
  const verb = t(`action.kind.${kind}.verb`);
  if (kind !== "resume" || !plan?.available) return verb;
  const { run, keep } = plan.counts;
  return t("action.counted", { verb, run, keep });
}

function RunItem({ kind, onOpen }: { readonly kind: RunKind; readonly onOpen: () => void }) {
  const { t } = useTranslation();
  const { phase, value, problem } = useStore(useStores().runPlans.store, ({ plans }) => plans[kind]);
  const language = useLanguage();
  const [refusal] = value?.plan.refusals ?? [];
  const idle = value !== null && doesNothing(value.plan);
  const because =
    refusal === undefined ? null : `${refusalText(refusal, t, language).cause} (${refusal.code})`;
  const reason = idle ? t("action.missing.nothing") : because;
  return (
    <Item
      name={t(`action.kind.${kind}.verb`)}
      line={t(`action.kind.${kind}.does`)}
      danger={kind === "close"}
      reason={phase === "failed" && problem ? `${t("action.missing.planFailed")} (${problem.code})` : reason}
      disabled={refusal !== undefined || idle}
      onOpen={onOpen}
    />
  );
}

/** The node to begin with is chosen in the form; it starts with the first that failed. */
function RerunItem({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const { run, nodes } = detail;
  const first = nodes.find(({ status }) => status === "FAILED") ?? nodes[0];
  const succeeded = run.status === "SUCCESS" || run.lifecycle !== "ACTIVE";
  const disabled = first === undefined || succeeded;
  return (
    <Item
      name={t("action.menu.rerun")}
      line={t("action.kind.rerun.does")}
      reason={disabled ? t(first === undefined ? "action.menu.noNodes" : "action.menu.ended") : null}
      disabled={disabled}
      onOpen={() => {
        if (first === undefined) return;
        void action.open(rerunIntent(run.runId, first.nodeId), { subject: { ...subjectOf(run) } });
      }}
    />
  );
}

function AuditItem({ run }: { readonly run: RunRow }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const disabled = run.lifecycle !== "ARCHIVED";
  return (
    <Item
      name={t("action.kind.completeAudit.verb")}
      line={t("action.kind.completeAudit.does")}
      reason={disabled ? t("action.menu.onlyClosed") : null}
      disabled={disabled}
      onOpen={() => void action.open(auditIntent(run), { subject: { ...subjectOf(run) } })}
    />
  );
}

interface ItemProps {
  readonly name: string;
  /** What changes, in one line. */
  readonly line: string;
  readonly reason: string | null;
  readonly disabled: boolean;
  readonly danger?: boolean;
  readonly onOpen: () => void;
}

function Item({ name, line, reason, disabled, danger = false, onOpen }: ItemProps) {
  return (
    <MenuItem
      className={styles.item}
      disabled={disabled}
      icon={danger ? <DangerIcon danger="L4" /> : undefined}
      data-danger={danger || undefined}
      onClick={onOpen}
    >
      <span className={styles.itemName}>{name}</span>
      <span className={styles.itemLine}>{line}</span>
      {reason !== null && <span className={styles.itemReason}>{reason}</span>}
    </MenuItem>
  );
}
