import { Button, Field, Input, Select } from "@fluentui/react-components";
import { type FormEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type BusinessReading, CONDITION_MAX } from "../../shared/api/index.ts";
import face from "../components/face.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useLanguage, useStores, useTimeZone } from "../state/context.tsx";
import { type DoubtfulNode, NO_QUESTION, nodeKey } from "../state/unknown.ts";
import { minuteText } from "../text/time.ts";
import { Target } from "./business-target.tsx";
import styles from "./unknown.module.css";

/** Asks the apps the node writes to: what changed since its SQL started, or what an operator wants to know. */
export function BusinessData({ node }: { readonly node: DoubtfulNode }) {
  const { t } = useTranslation();
  const { unknown } = useStores();
  const business = useStore(unknown.store, (state) => state.business);
  return (
    <section className={page.section} aria-labelledby="business-data">
      <h2 className={page.heading} id="business-data">
        {t("unknown.business.title")}
      </h2>
      <p className={page.text}>{t("unknown.business.lead")}</p>
      <Question node={node} />
      <span role="status" className={page.quiet}>
        {business.phase === "loading" && t("unknown.business.running")}
        {business.phase === "idle" && t("unknown.business.notAsked")}
      </span>
      {business.problem && <ProblemPanel problem={business.problem} />}
      {business.value && <Answer reading={business.value} />}
    </section>
  );
}

/** Enter asks, except while an IME composes; a condition that is left blank asks for the changes. */
function Question({ node }: { readonly node: DoubtfulNode }) {
  const { t } = useTranslation();
  const { unknown } = useStores();
  const typed = useStore(unknown.store, (state) => state.questions[nodeKey(node)] ?? NO_QUESTION);
  const { phase, value } = useStore(unknown.store, (state) => state.business);
  const app = useId();
  const targets = value?.targets ?? [];
  const place = { runId: node.runId, nodeId: node.nodeId };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (phase !== "loading") void unknown.ask(typed);
  };
  return (
    <form className={styles.question} onSubmit={submit}>
      <Field label={t("unknown.business.condition")} hint={t("unknown.business.conditionHint")}>
        <Input
          value={typed.condition}
          maxLength={CONDITION_MAX}
          autoComplete="off"
          spellCheck={false}
          input={{ className: face.mono }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && event.nativeEvent.isComposing) event.preventDefault();
          }}
          onChange={(_, data) => unknown.type(place, { condition: data.value })}
        />
      </Field>
      {(targets.length > 1 || typed.appId !== null) && (
        <span className={styles.choose}>
          <label htmlFor={app}>{t("unknown.business.app")}</label>
          <Select
            id={app}
            size="small"
            value={typed.appId === null ? "" : String(typed.appId)}
            onChange={(_, data) =>
              unknown.type(place, { appId: data.value === "" ? null : Number(data.value) })
            }
          >
            <option value="">{t("unknown.business.allApps")}</option>
            {targets.map((target) => (
              <option key={target.appId} value={target.appId}>
                {t("unknown.business.target", { app: target.app, id: target.appId })}
              </option>
            ))}
          </Select>
        </span>
      )}
      <Button type="submit" disabledFocusable={phase === "loading"}>
        {t(value === null ? "unknown.business.run" : "unknown.business.again")}
      </Button>
    </form>
  );
}

function Answer({ reading }: { readonly reading: BusinessReading }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const language = useLanguage();
  const { since, condition, targets } = reading;
  if (targets.length === 0) return <p className={page.text}>{t("unknown.business.noTargets")}</p>;
  return (
    <>
      {condition === null && (
        <p className={page.text}>
          {since === null
            ? t("unknown.business.noSince")
            : t("unknown.business.since", { time: minuteText(since, timeZone, language) })}
        </p>
      )}
      {targets.map((target) => (
        <Target key={target.appId} target={target} />
      ))}
      <p className={page.quiet}>{t("unknown.business.attached")}</p>
    </>
  );
}
