import { Field, Input, Radio, RadioGroup, Textarea } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { CONSENT_EXPIRY_MS, type Friction } from "../../shared/api/index.ts";
import { CONSENT_WAYS } from "../state/action-draft.ts";
import { useLanguage, useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { isIdentifier } from "./identifier.ts";
import { BREAK_GLASS_REASON_MIN } from "./missing.ts";

/** The consent of a second person: given here, asked for, or replaced by a sentence that is recorded (operator-ux §2.4). */
export function ConsentField({ friction }: { readonly friction: Friction }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const chosen = useStore(action.store, ({ draft }) => draft?.consent ?? "person");
  const sentence = friction.breakGlassSentence;
  const language = useLanguage();
  const ways = CONSENT_WAYS.filter((way) => way !== "breakGlass" || sentence !== null);
  const way = ways.find((each) => each === chosen) ?? "person";
  return (
    <fieldset className={styles.consent}>
      <legend className={styles.legend}>{t("action.consent.title")}</legend>
      <p className={styles.line}>{t("action.consent.lead")}</p>
      <RadioGroup
        aria-label={t("action.consent.title")}
        value={way}
        onChange={(_, { value }) => {
          const consent = ways.find((each) => each === value);
          if (consent !== undefined) action.fill({ consent });
        }}
      >
        {ways.map((each) => (
          <Radio key={each} value={each} label={t(`action.consent.${each}`)} />
        ))}
      </RadioGroup>
      {way === "person" && <Person />}
      {way === "ask" && (
        <p className={styles.line}>
          {t("action.consent.askLead", { count: Math.round(CONSENT_EXPIRY_MS / 60_000) })}
        </p>
      )}
      {way === "breakGlass" && sentence !== null && <Sentence wanted={sentence[language]} />}
    </fieldset>
  );
}

/** Filled in by the other person, at this keyboard. The passphrase is sent once and kept nowhere. */
function Person() {
  const { t } = useTranslation();
  const { action } = useStores();
  const account = useStore(action.store, ({ draft }) => draft?.account ?? "");
  const passphrase = useStore(action.store, (state) => state.passphrase);
  return (
    <div className={styles.row}>
      <Field label={t("action.consent.account")} required>
        <Input
          value={account}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(_, { value }) => action.fill({ account: value })}
        />
      </Field>
      <Field label={t("action.consent.passphrase")} required>
        <Input
          type="password"
          value={passphrase}
          maxLength={1000}
          autoComplete="off"
          onChange={(_, { value }) => action.setPassphrase(value)}
        />
      </Field>
    </div>
  );
}

function Sentence({ wanted }: { readonly wanted: string }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const sentence = useStore(action.store, ({ draft }) => draft?.sentence ?? "");
  const exact = isIdentifier(sentence.trim(), wanted);
  return (
    <>
      <p className={styles.line}>{t("action.consent.sentenceAsk")}</p>
      <p className={styles.sentence} data-sentence>
        {wanted}
      </p>
      <Field
        label={t("action.consent.sentence")}
        hint={t("action.consent.sentenceHint", { count: BREAK_GLASS_REASON_MIN })}
        required
        validationState={exact ? "success" : "none"}
        validationMessage={exact ? t("action.identifier.exact") : undefined}
      >
        <Textarea
          value={sentence}
          rows={2}
          maxLength={500}
          onChange={(_, { value }) => action.fill({ sentence: value })}
        />
      </Field>
    </>
  );
}
