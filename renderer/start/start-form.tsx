import { Button, Field, Input, Radio, RadioGroup, Select, Textarea } from "@fluentui/react-components";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { REASON_MIN, type StartField } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import { guidanceOf, ProblemPanel } from "../components/problem.tsx";
import { useGate, useStores, useTimeZone } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { dateOf, timeOf, zoneLabel } from "../text/time.ts";
import { missingOf } from "./missing.ts";
import styles from "./start.module.css";

/** The fields, each with its own problems as one types, and the button that names what it does (operator-ux D1). */
export function StartForm() {
  const { t } = useTranslation();
  const { start } = useStores();
  const state = useStore(start.store);
  const timeZone = useTimeZone();
  const gate = useGate();
  const missing = missingOf(state, timeZone, gate);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (missing.length === 0) void start.confirm();
  };
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <NetworkField />
      <TargetFields />
      <ReasonField />
      {state.sendProblem && <ProblemPanel problem={state.sendProblem} />}
      {state.form.networkId !== "" && (
        <p className={styles.effect}>
          {t("start.effect", { network: markedText(state.form.networkId, true) })}
        </p>
      )}
      {missing.length > 0 && (
        <div className={styles.missing} id="start-missing">
          {t("start.missing.title")}
          <ul>
            {missing.map((each) => (
              <li key={each}>{t(`start.missing.${each}`)}</li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.actions}>
        <Button onClick={() => goTo({ page: "runs", filter: {} })}>{t("start.cancel")}</Button>
        {/* Stays reachable while it cannot be used, so that its reasons can be read (operator-ux D11). */}
        <Button
          type="submit"
          appearance="primary"
          disabledFocusable={missing.length > 0}
          aria-describedby={missing.length > 0 ? "start-missing" : undefined}
        >
          {state.preview?.businessKey
            ? t("start.confirm", { key: markedText(state.preview.businessKey, true) })
            : t("start.confirmNothing")}
        </Button>
      </div>
    </form>
  );
}

function NetworkField() {
  const { t } = useTranslation();
  const { start, workspace } = useStores();
  const networkId = useStore(start.store, (state) => state.form.networkId);
  const networks = useStore(workspace.store, (state) => state.networks.value) ?? [];
  const choose = (value: string): void => {
    const network = networks.find((each) => each.networkId === value);
    void start.edit({ networkId: value, naming: network?.naming ?? "scheduled" });
  };
  return (
    <Field label={t("start.network")} required {...useFieldProblem("networkId")}>
      <Select value={networkId} onChange={(_, { value }) => choose(value)}>
        <option value="">{t("start.networkPlaceholder")}</option>
        {networks.map((network) => (
          <option key={network.networkId} value={network.networkId}>
            {markedText(network.networkId, true)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** The name of the Run: by a scheduled time, or given. A network that knows only one way is not asked which. */
function TargetFields() {
  const { t } = useTranslation();
  const { start, workspace } = useStores();
  const { networkId, naming } = useStore(start.store, (state) => state.form);
  const policy = useStore(
    workspace.store,
    (state) => state.networks.value?.find((each) => each.networkId === networkId)?.naming ?? null,
  );
  if (networkId === "") return null;
  return (
    <>
      {policy !== "explicit" && (
        <Field label={t("start.naming")}>
          <RadioGroup
            layout="horizontal"
            value={naming}
            onChange={(_, { value }) =>
              void start.edit({ naming: value === "explicit" ? "explicit" : "scheduled" })
            }
          >
            <Radio value="scheduled" label={t("start.namingScheduled")} />
            <Radio value="explicit" label={t("start.namingExplicit")} />
          </RadioGroup>
        </Field>
      )}
      {naming === "scheduled" ? <ScheduledFields /> : <KeyField />}
    </>
  );
}

function ScheduledFields() {
  const { t } = useTranslation();
  const { start } = useStores();
  const { date, time } = useStore(start.store, (state) => state.form);
  const zone = zoneLabel(useTimeZone(), Date.now());
  const dateProblem = useFieldProblem("scheduledFor");
  const noDate = date !== "" && dateOf(date) === null;
  const noTime = timeOf(time) === null;
  return (
    <div className={styles.pair}>
      <Field
        label={t("start.date")}
        hint={t("start.dateHint")}
        required
        {...(noDate ? invalid(t("start.dateInvalid")) : dateProblem)}
      >
        <Input
          value={date}
          autoComplete="off"
          placeholder="2026-09-01"
          onChange={(_, { value }) => void start.edit({ date: value })}
        />
      </Field>
      <Field label={t("start.time", { zone })} {...(noTime ? invalid(t("start.timeInvalid")) : {})}>
        <Input
          className={styles.narrow}
          input={{ className: styles.narrow }}
          value={time}
          autoComplete="off"
          onChange={(_, { value }) => void start.edit({ time: value })}
        />
      </Field>
    </div>
  );
}

const invalid = (message: string) => ({ validationState: "error", validationMessage: message }) as const;

function KeyField() {
  const { t } = useTranslation();
  const { start } = useStores();
  const businessKey = useStore(start.store, (state) => state.form.businessKey);
  return (
    <Field
      label={t("start.businessKey")}
      hint={t("start.businessKeyHint")}
      required
      {...useFieldProblem("businessKey")}
    >
      <Input
        value={businessKey}
        autoComplete="off"
        spellCheck={false}
        onChange={(_, { value }) => void start.edit({ businessKey: value })}
      />
    </Field>
  );
}

function ReasonField() {
  const { t } = useTranslation();
  const { start } = useStores();
  const reason = useStore(start.store, (state) => state.form.reason);
  const short = reason !== "" && reason.trim().length < REASON_MIN;
  return (
    <Field
      label={t("start.reason")}
      hint={t("start.reasonHint")}
      required
      validationState={short ? "error" : "none"}
      validationMessage={short ? t("start.reasonShort") : undefined}
    >
      <Textarea
        value={reason}
        rows={2}
        maxLength={500}
        onChange={(_, { value }) => void start.edit({ reason: value })}
      />
    </Field>
  );
}

/** The state of a field from the preview's problems beside it. */
function useFieldProblem(field: StartField) {
  const { t } = useTranslation();
  const problem = useStore(
    useStores().start.store,
    (state) => state.preview?.problems.find((each) => each.field === field)?.problem ?? null,
  );
  if (problem === null) return {};
  const { cause, next } = guidanceOf(problem, t);
  return invalid(`${cause} ${next}`);
}
