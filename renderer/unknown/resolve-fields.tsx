import { Button, Checkbox, Field, Input, Radio, RadioGroup } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Intent } from "../../shared/api/index.ts";
import { RESOLVED_OUTCOMES } from "../../shared/domain/unknown-outcome.ts";
import { EvidenceForm } from "../action/evidence-form.tsx";
import page from "../components/page.module.css";
import { useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { nodeKey } from "../state/unknown.ts";
import { comparisonSource } from "./comparison.ts";
import styles from "./unknown.module.css";

type Resolve = Extract<Intent, { readonly kind: "resolve" }>;

/** The form of a resolution: which outcome, what has to be said with it, who made sure of the stop, and what shows it. */
export function ResolveFields() {
  const { t } = useTranslation();
  const { action, unknown } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  const resolve = intent?.kind === "resolve" ? intent : null;
  const { runId, nodeId } = resolve ?? { runId: null, nodeId: null };
  useEffect(() => {
    if (runId !== null && nodeId !== null) void unknown.want({ runId, nodeId });
  }, [unknown, runId, nodeId]);
  if (resolve === null) return null;
  const choose = (value: string): void => {
    const outcome = RESOLVED_OUTCOMES.find((each) => each === value);
    if (outcome === undefined) return;
    action.edit({
      outcome,
      ...(outcome === "SUCCESS" ? { compensation: false } : { manualCompletion: false }),
    });
  };
  return (
    <>
      <Field label={t("unknown.resolve.outcome")} hint={t("unknown.resolve.final")} required>
        <RadioGroup value={resolve.outcome} onChange={(_, { value }) => choose(value)}>
          {RESOLVED_OUTCOMES.map((outcome) => (
            <Radio
              key={outcome}
              value={outcome}
              label={`${t(`status.outcome.${outcome}`)} (${outcome}) ${t(`unknown.resolve.says.${outcome}`)}`}
            />
          ))}
        </RadioGroup>
      </Field>
      <Said resolve={resolve} />
      <Field label={t("unknown.resolve.stopEvidence")} hint={t("unknown.resolve.stopEvidenceHint")} required>
        <Input
          value={resolve.stopEvidence}
          maxLength={2000}
          autoComplete="off"
          onChange={(_, { value }) => action.edit({ stopEvidence: value })}
        />
      </Field>
      <Attach resolve={resolve} />
      <EvidenceForm />
    </>
  );
}

/** A success says that somebody saw it complete; the others may say that what was written has been undone. */
function Said({ resolve: { outcome, manualCompletion, compensation } }: { readonly resolve: Resolve }) {
  const { t } = useTranslation();
  const { action } = useStores();
  return outcome === "SUCCESS" ? (
    <Checkbox
      checked={manualCompletion}
      label={t("unknown.resolve.completion")}
      required
      onChange={(_, { checked }) => action.edit({ manualCompletion: checked === true })}
    />
  ) : (
    <Checkbox
      checked={compensation}
      label={t("unknown.resolve.compensation")}
      onChange={(_, { checked }) => action.edit({ compensation: checked === true })}
    />
  );
}

/** Makes one file of what is shown now, and gives it as evidence like any other. */
function Attach({ resolve }: { readonly resolve: Resolve }) {
  const { t } = useTranslation();
  const { action, unknown } = useStores();
  const secondText = useSecondText();
  const { node, detail, business } = useStore(unknown.store);
  const [attached, setAttached] = useState<string | null>(null);
  const facts = node !== null && nodeKey(node) === nodeKey(resolve) ? detail.value : null;
  const attach = (): void => {
    if (facts === null) return;
    setAttached(facts.readAt);
    void action.addFiles([comparisonSource(facts, business.value, new Date().toISOString())]);
  };
  return (
    <div className={styles.attach}>
      <Button size="small" disabledFocusable={facts === null} onClick={attach}>
        {t("unknown.resolve.attach")}
      </Button>
      <span className={page.quiet} role="status">
        {attached === null
          ? t("unknown.resolve.attachHint")
          : `${t("unknown.resolve.attached", { time: secondText(attached) })}${
              facts !== null && facts.readAt !== attached ? ` ${t("unknown.resolve.attachOld")}` : ""
            }`}
      </span>
    </div>
  );
}
