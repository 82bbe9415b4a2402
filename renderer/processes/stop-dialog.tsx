import { Button, Field, Input, Spinner, Textarea } from "@fluentui/react-components";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { REASON_MIN, type StopProgress } from "../../shared/api/index.ts";
import actionStyles from "../action/action.module.css";
import { DangerIcon, DangerMark } from "../action/danger-mark.tsx";
import { compareIdentifier, firstFault, isIdentifier } from "../action/identifier.ts";
import { SendRefused } from "../action/send-refused.tsx";
import { useArm } from "../action/use-arm.ts";
import face from "../components/face.module.css";
import { Modal } from "../components/modal.tsx";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { CopyId, Duration, useSecondText } from "../components/text.tsx";
import { lost } from "../state/action-sent.ts";
import { type Gate, useGate, useNow, useStores } from "../state/context.tsx";
import type { StopForm } from "../state/processes.ts";
import { TreeList } from "./process-detail.tsx";
import { StopFactsList } from "./stop-facts.tsx";
import { baseName } from "./usage.ts";

/** A look at the tree that is older is made anew before anything is confirmed (operator-ux D6). Milliseconds. */
const OLD_AFTER_MS = 30_000;

/** The stop of one tree: targets, steps, reason, number, confirmation, and what became of it in its place (operator-ux §2.3). */
export function StopDialog() {
  const { t } = useTranslation();
  const { processes } = useStores();
  const stop = useStore(processes.store, (state) => state.stop);
  const progress = useStore(
    processes.store,
    (state) => state.picture?.stops.find((each) => each.operationId === state.stop?.operationId) ?? null,
  );
  if (stop === null) return null;
  const image = stop.plan.value?.tree.root.image ?? null;
  const title = t("processes.stop.title", { pid: stop.pid, name: baseName(image) ?? "" });
  return (
    <Modal label={title} className={actionStyles.dialog ?? ""} stays onClose={processes.closeStop}>
      <div className={actionStyles.panel}>
        <Head title={title} form={progress === null} />
        {progress === null ? <Form stop={stop} /> : <Followed progress={progress} />}
      </div>
    </Modal>
  );
}

function Head({ title, form }: { readonly title: string; readonly form: boolean }) {
  const { t } = useTranslation();
  return (
    <header className={actionStyles.head} data-danger="L3">
      <div className={actionStyles.titleLine}>
        <h2 className={actionStyles.title}>{title}</h2>
        <DangerMark danger="L3" />
      </div>
      {form && (
        <>
          <p className={actionStyles.line}>
            {t("processes.stop.does")} {t("processes.stop.keeps")}
          </p>
          <p className={actionStyles.back}>
            <strong>{t("action.noUndo")} </strong>
            {t("processes.stop.back")}
          </p>
        </>
      )}
    </header>
  );
}

type Missing = "plan" | "gone" | "old" | "reason" | "typed" | NonNullable<Gate>;

/** What the confirmation still lacks, in the order of the form; main asks for all of it again. Pure. */
function missingOfStop(stop: StopForm, gate: Gate, now: number): readonly Missing[] {
  const { plan, reason, typed } = stop;
  const missing: Missing[] = [];
  if (plan.value === null || plan.phase === "loading") missing.push(plan.problem === null ? "plan" : "gone");
  else if (plan.value.tree.processes.length === 0) missing.push("gone");
  else if (now - Date.parse(plan.value.readAt) > OLD_AFTER_MS) missing.push("old");
  if ([...reason.trim()].length < REASON_MIN) missing.push("reason");
  if (plan.value !== null && !isIdentifier(typed, plan.value.friction.identifier)) missing.push("typed");
  if (gate !== null) missing.push(gate);
  return missing;
}

function Form({ stop }: { readonly stop: StopForm }) {
  const { t } = useTranslation();
  const { plan, problem } = stop;
  return (
    <>
      <div className={actionStyles.body}>
        {plan.problem && <ProblemPanel problem={plan.problem} />}
        {plan.value === null && plan.problem === null && (
          <Spinner size="tiny" label={t("processes.stop.reading")} labelPosition="after" />
        )}
        {plan.value && (
          <>
            <Targets stop={stop} />
            <Fields stop={stop} />
          </>
        )}
        {problem && (
          <SendRefused
            problem={problem}
            line={t(lost(problem) ? "processes.stop.lost" : "processes.stop.refused", { code: problem.code })}
          />
        )}
      </div>
      <Bar stop={stop} />
    </>
  );
}

function Targets({ stop }: { readonly stop: StopForm }) {
  const { t } = useTranslation();
  const { processes } = useStores();
  const secondText = useSecondText();
  const { value, phase } = stop.plan;
  if (value === null) return null;
  return (
    <section className={actionStyles.preview}>
      <div className={actionStyles.previewHead}>
        <span className={page.quiet}>{t("processes.stop.readAt", { time: secondText(value.readAt) })}</span>
        <Button size="small" disabledFocusable={phase === "loading"} onClick={() => void processes.plan()}>
          {t("processes.stop.again")}
        </Button>
      </div>
      <TreeList tree={value.tree} />
      <ul className={actionStyles.consequences}>
        <li>{t(`processes.stop.polite.${value.tree.polite}`)}</li>
        <li>
          <Grace ms={value.graceMs} />
        </li>
        <li>{t("processes.stop.unknownRisk")}</li>
      </ul>
    </section>
  );
}

function Grace({ ms }: { readonly ms: number }) {
  const { t } = useTranslation();
  const [before = "", after = ""] = t("processes.stop.grace", { duration: "\u0000" }).split("\u0000");
  return (
    <>
      {before}
      <Duration seconds={ms / 1000} />
      {after}
    </>
  );
}

function Fields({ stop: { pid, reason, typed } }: { readonly stop: StopForm }) {
  const { t } = useTranslation();
  const { processes } = useStores();
  const [composing, setComposing] = useState(false);
  const wanted = String(pid);
  const fault = composing || typed === "" ? null : firstFault(compareIdentifier(typed, wanted));
  const exact = !composing && isIdentifier(typed, wanted);
  return (
    <section className={actionStyles.form} aria-label={t("action.form")}>
      <Field label={t("processes.stop.reason")} hint={t("processes.stop.reasonHint")} required>
        <Textarea
          value={reason}
          rows={2}
          maxLength={500}
          onChange={(_, { value }) => processes.fill({ reason: value })}
        />
      </Field>
      <div className={actionStyles.identifier} data-exact={exact || undefined}>
        <p className={actionStyles.line}>
          {t("processes.stop.ask")} <CopyId id={wanted} what="PID" always />
        </p>
        <Field
          label={t("processes.stop.typed")}
          required
          validationState={fault === null ? (exact ? "success" : "none") : "error"}
          validationMessage={
            fault === null
              ? exact
                ? t("processes.stop.typedExact")
                : undefined
              : t("processes.stop.typedWrong", { no: fault.at + 1 })
          }
        >
          <Input
            value={typed}
            autoComplete="off"
            inputMode="numeric"
            maxLength={40}
            className={actionStyles.typed ?? ""}
            input={{ className: face.mono ?? "" }}
            onCompositionStart={() => setComposing(true)}
            onCompositionEnd={() => setComposing(false)}
            onChange={(_, { value }) => processes.fill({ typed: value })}
          />
        </Field>
      </div>
    </section>
  );
}

/** 閉じる has the focus first; the button that stops waits for what is listed beside it (operator-ux D3, D11). */
function Bar({ stop }: { readonly stop: StopForm }) {
  const { t } = useTranslation();
  const { processes } = useStores();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  const missing = missingOfStop(stop, useGate(), useNow());
  const { plan, sending } = stop;
  const key = missing.length === 0 && !sending ? (plan.value?.fingerprint ?? null) : null;
  const armMs = plan.value?.friction.armMs ?? 0;
  const armed = useArm(key, armMs);
  const list = useId();
  return (
    <div className={actionStyles.bar} data-danger="L3">
      <div className={actionStyles.waiting} id={list} aria-live="polite">
        {missing.length > 0 && (
          <>
            <span>{t("action.missing.title")}</span>
            <ul>
              {missing.map((each) => (
                <li key={each}>{t(`processes.stop.missing.${each}`)}</li>
              ))}
            </ul>
          </>
        )}
        {key !== null && <span role="status">{t(armed ? "action.arm.ready" : "action.arm.waiting")}</span>}
      </div>
      <div className={actionStyles.buttons}>
        <Button ref={close} onClick={processes.closeStop}>
          {t("processes.stop.close")}
        </Button>
        <Button
          className={actionStyles.confirm ?? ""}
          appearance="primary"
          icon={<DangerIcon danger="L3" />}
          disabledFocusable={!armed}
          aria-describedby={list}
          data-testid="confirm"
          onClick={() => {
            if (armed) void processes.confirm();
          }}
        >
          {t("processes.stop.confirm", { pid: stop.pid })}
        </Button>
      </div>
    </div>
  );
}

function Followed({ progress }: { readonly progress: StopProgress }) {
  const { t } = useTranslation();
  const { processes } = useStores();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <section className={actionStyles.body} data-testid="stop-course" aria-live="polite">
        <h3 className={actionStyles.heading} ref={heading} tabIndex={-1}>
          {t("processes.stop.follow")}
        </h3>
        <StopFactsList stop={progress} />
      </section>
      <div className={actionStyles.bar}>
        <p className={actionStyles.waiting}>{progress.endedAt === null && t("processes.stop.mayClose")}</p>
        <div className={actionStyles.buttons}>
          <Button onClick={processes.closeStop}>{t("processes.stop.close")}</Button>
        </div>
      </div>
    </>
  );
}
