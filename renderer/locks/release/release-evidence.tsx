import { Checkbox, Field, Input, Radio, RadioGroup } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { type LockHolder, STOP_CHECKS, STOP_LABELS, type StopCheck } from "../../../shared/api/index.ts";
import { EvidenceForm } from "../../action/evidence-form.tsx";
import page from "../../components/page.module.css";
import { useStores } from "../../state/context.tsx";
import { markedText } from "../../text/marks.ts";
import styles from "./release.module.css";
import { type ForceUnlock, isOwnHost } from "./release-missing.ts";

interface ReleaseEvidenceProps {
  readonly intent: ForceUnlock;
  readonly holder: LockHolder;
}

/** What a person vouches for: how the stop was seen, of which process, what shows it, and why (operator-ux §2.3, step 4). */
export function ReleaseEvidence({ intent, holder }: ReleaseEvidenceProps) {
  return (
    <div className={styles.form}>
      <Method intent={intent} holder={holder} />
      <PidField intent={intent} holder={holder} />
      {!isOwnHost(holder) && <Checks intent={intent} holder={holder} />}
      <EvidenceForm />
    </div>
  );
}

function Method({ intent, holder }: ReleaseEvidenceProps) {
  const { t } = useTranslation();
  const { action } = useStores();
  const wire = isOwnHost(holder) && intent.stopLabel === "processEnded" ? "local_pid" : "manual";
  return (
    <>
      <Field label={t("release.method")} hint={t(`release.wire.${wire}`)} required>
        <RadioGroup
          layout="horizontal"
          value={intent.stopLabel}
          onChange={(_, { value }) => {
            const stopLabel = STOP_LABELS.find((each) => each === value);
            if (stopLabel !== undefined) action.edit({ stopLabel });
          }}
        >
          {STOP_LABELS.map((label) => (
            <Radio key={label} value={label} label={t(`release.stop.${label}`)} />
          ))}
        </RadioGroup>
      </Field>
      {intent.stopLabel === "other" && (
        <Field label={t("release.other")} required>
          <Input
            value={intent.stopOther}
            maxLength={2000}
            autoComplete="off"
            onChange={(_, { value }) => action.edit({ stopOther: value })}
          />
        </Field>
      )}
    </>
  );
}

/** Prefilled from the holder and compared with it: whoever looked at another process finds out here (decisions §3). */
function PidField({ intent, holder }: ReleaseEvidenceProps) {
  const { t } = useTranslation();
  const { action } = useStores();
  if (holder.pid === null) return <p className={page.quiet}>{t("release.pidNone")}</p>;
  const { pid } = holder;
  const edit = (text: string): void => {
    const digits = text.normalize("NFKC").replace(/\D/g, "").slice(0, 10);
    action.edit({ pid: digits === "" || Number(digits) < 1 ? null : Number(digits) });
  };
  const wrong = intent.pid !== null && intent.pid !== pid;
  return (
    <Field
      label={t("release.pid")}
      hint={t("release.pidHint", { pid })}
      required
      validationState={wrong ? "error" : "none"}
      validationMessage={wrong ? t("release.pidWrong", { pid }) : undefined}
    >
      <Input
        className={styles.pid}
        input={{ className: styles.digits }}
        inputMode="numeric"
        autoComplete="off"
        value={intent.pid === null ? "" : String(intent.pid)}
        onChange={(_, { value }) => edit(value)}
      />
    </Field>
  );
}

/** What has to be looked at on a host that cannot be seen from here; each is ticked by whoever looked. */
function Checks({ intent, holder }: ReleaseEvidenceProps) {
  const { t } = useTranslation();
  const { action } = useStores();
  const host = markedText(holder.host ?? t("locks.detail.otherHost"), true);
  const set = (check: StopCheck, on: boolean): void => {
    const others = intent.checked.filter((each) => each !== check);
    action.edit({ checked: STOP_CHECKS.filter((each) => (each === check ? on : others.includes(each))) });
  };
  const labelOf = (check: StopCheck): string => {
    if (check !== "ownerProcess") return t(`release.checks.${check}`);
    if (holder.pid !== null) return t("release.checks.ownerProcess", { pid: holder.pid });
    return t("release.checks.ownerAny", { owner: markedText(holder.ownerInstanceId ?? "", true) });
  };
  return (
    <fieldset className={styles.checks}>
      <legend className={styles.legend}>{t("release.checks.title", { host })}</legend>
      <p className={page.quiet}>{t("release.checks.lead")}</p>
      {STOP_CHECKS.map((check) => (
        <Checkbox
          key={check}
          checked={intent.checked.includes(check)}
          label={labelOf(check)}
          onChange={(_, { checked }) => set(check, checked === true)}
        />
      ))}
    </fieldset>
  );
}
