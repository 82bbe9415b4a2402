import { Field, Input, Radio, RadioGroup, Textarea } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Friction } from "../../shared/api/index.ts";
import { useLanguage, useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { isIdentifier } from "./identifier.ts";
import { BREAK_GLASS_REASON_MIN } from "./missing.ts";

/** The consent of a second person, or the sentence that is recorded in its place (operator-ux §2.4). */
export function ConsentField({ friction }: { readonly friction: Friction }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const breakGlass = useStore(action.store, ({ draft }) => draft?.breakGlass ?? false);
  const sentence = friction.breakGlassSentence;
  const language = useLanguage();
  return (
    <fieldset className={styles.consent}>
      <legend className={styles.legend}>{t("action.consent.title")}</legend>
      <p className={styles.line}>{t("action.consent.lead")}</p>
      {sentence !== null && (
        <RadioGroup
          aria-label={t("action.consent.title")}
          value={breakGlass ? "breakGlass" : "person"}
          onChange={(_, { value }) => action.fill({ breakGlass: value === "breakGlass" })}
        >
          <Radio value="person" label={t("action.consent.person")} />
          <Radio value="breakGlass" label={t("action.consent.breakGlass")} />
        </RadioGroup>
      )}
      {breakGlass && sentence !== null ? <Sentence wanted={sentence[language]} /> : <Person />}
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
