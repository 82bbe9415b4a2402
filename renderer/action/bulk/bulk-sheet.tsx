import { Button, Field, Textarea } from "@fluentui/react-components";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { REASON_MIN } from "../../../shared/api/index.ts";
import { Modal } from "../../components/modal.tsx";
import type { BulkItem } from "../../state/bulk.ts";
import { useGate, useStores } from "../../state/context.tsx";
import action from "../action.module.css";
import styles from "./bulk.module.css";
import { BulkItems } from "./bulk-items.tsx";

/** Several Runs resumed one after the other: who is in and who is not with why, one reason, one result each. */
export function BulkSheet() {
  const { t } = useTranslation();
  const { bulk } = useStores();
  const items = useStore(bulk.store, (state) => state.items);
  if (items === null) return null;
  return (
    <Modal label={t("action.bulk.title")} className={action.dialog} stays onClose={() => bulk.close()}>
      <div className={action.panel}>
        <header className={action.head}>
          <h2 className={action.title}>{t("action.bulk.title")}</h2>
          <p className={action.line}>
            {t("action.kind.resume.does")} {t("action.bulk.lead")}
          </p>
        </header>
        <div className={action.body}>
          <Counts items={items} />
          <BulkItems items={items} />
          <Reason />
        </div>
        <Foot items={items} />
      </div>
    </Modal>
  );
}

const of = (items: readonly BulkItem[], ...states: readonly BulkItem["state"][]): number =>
  items.filter(({ state }) => states.includes(state)).length;

function Counts({ items }: { readonly items: readonly BulkItem[] }) {
  const { t } = useTranslation();
  const { bulk } = useStores();
  const phase = useStore(bulk.store, (state) => state.phase);
  const told =
    phase === "checking"
      ? t("action.bulk.checking", { done: items.length - of(items, "unread", "checking"), all: items.length })
      : phase === "ready"
        ? t("action.bulk.ready", { yes: of(items, "eligible"), no: of(items, "ineligible") })
        : t("action.bulk.progress", {
            done: of(items, "done"),
            failed: of(items, "refused", "uncertain"),
            rest: of(items, "eligible", "sending", "running"),
          });
  return (
    <p className={styles.told} role="status" data-phase={phase}>
      {told}
    </p>
  );
}

function Reason() {
  const { t } = useTranslation();
  const { bulk } = useStores();
  const { reason, phase } = useStore(bulk.store);
  if (phase === "running" || phase === "ended") return null;
  return (
    <Field
      label={t("action.reason.label")}
      hint={t("action.reason.hint.invocation", { count: REASON_MIN })}
      required
    >
      <Textarea value={reason} rows={2} maxLength={500} onChange={(_, { value }) => bulk.setReason(value)} />
    </Field>
  );
}

function Foot({ items }: { readonly items: readonly BulkItem[] }) {
  const { t } = useTranslation();
  const { bulk } = useStores();
  const { phase, reason } = useStore(bulk.store);
  const gate = useGate();
  const list = useId();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  const eligible = of(items, "eligible");
  const missing = [
    ...(phase === "checking" ? (["plan"] as const) : []),
    ...(phase === "ready" && eligible === 0 ? (["refused"] as const) : []),
    ...(reason.trim().length < REASON_MIN ? (["reason"] as const) : []),
    ...(gate === null ? [] : [gate]),
  ];
  const open = phase === "checking" || phase === "ready";
  return (
    <div className={action.bar} data-danger="L2">
      <div className={action.waiting} id={list} aria-live="polite">
        {open && missing.length > 0 && (
          <>
            <span>{t("action.missing.title")}</span>
            <ul>
              {missing.map((each) => (
                <li key={each}>{t(`action.missing.${each}`)}</li>
              ))}
            </ul>
          </>
        )}
        {phase === "running" && t("action.bulk.stopHint")}
      </div>
      <div className={action.buttons}>
        <Button ref={close} onClick={() => bulk.close()}>
          {t("action.close")}
        </Button>
        {phase === "running" && <Button onClick={() => bulk.stop()}>{t("action.bulk.stop")}</Button>}
        {open && (
          <Button
            appearance="primary"
            disabledFocusable={missing.length > 0}
            aria-describedby={list}
            onClick={() => {
              if (missing.length === 0) void bulk.run();
            }}
          >
            {t("action.bulk.confirm", { count: eligible })}
          </Button>
        )}
      </div>
    </div>
  );
}
