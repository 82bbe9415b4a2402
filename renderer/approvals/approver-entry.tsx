import { Button, Field, Input } from "@fluentui/react-components";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ProblemPanel } from "../components/problem.tsx";
import settings from "../settings/settings.module.css";
import { useStores } from "../state/context.tsx";
import styles from "./approvals.module.css";

interface EntryProps {
  /** The operation or request it is about. */
  readonly about: string;
  readonly verb: string;
  /** Fields beside those of the person; `complete` says whether they are filled in. */
  readonly children?: ReactNode;
  readonly complete: boolean;
  readonly send: (account: string, passphrase: string) => Promise<boolean>;
  readonly close: () => void;
}

/** Filled in by an approver at this keyboard. The passphrase stands in its field alone, and is gone with it. */
export function ApproverEntry({ about, verb, children, complete, send, close }: EntryProps) {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const entry = useRef<HTMLFieldSetElement>(null);
  const passphrase = useRef<HTMLInputElement>(null);
  const [account, setAccount] = useState("");
  const [typed, setTyped] = useState(false);
  const [tries, setTries] = useState(0);
  const busy = useStore(approvals.store, (state) => state.busy === about);
  const problem = useStore(approvals.store, ({ refused }) =>
    refused?.about === about ? refused.problem : null,
  );
  // The button that opened it is gone: what is filled in first has the focus.
  useEffect(() => entry.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  const ready = account.trim() !== "" && typed && complete && !busy;
  const submit = async (): Promise<void> => {
    if (!ready) return;
    if (await send(account.trim(), passphrase.current?.value ?? "")) return close();
    // What was refused is typed anew: nobody is meant to correct a passphrase letter by letter.
    setTries((count) => count + 1);
    setTyped(false);
  };
  return (
    // No form: Enter in a field carries nothing out (operator-ux D3).
    <fieldset ref={entry} className={styles.entry} aria-label={verb}>
      {children}
      <div className={settings.pair}>
        <Field label={t("approvals.review.account")} required>
          <Input
            value={account}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={(_, { value }) => setAccount(value)}
          />
        </Field>
        <Field label={t("approvals.review.passphrase")} required>
          <Input
            key={tries}
            type="password"
            ref={passphrase}
            maxLength={1000}
            autoComplete="off"
            onChange={(_, { value }) => setTyped(value !== "")}
          />
        </Field>
      </div>
      {problem && <ProblemPanel problem={problem} />}
      <div className={styles.row}>
        <Button onClick={close}>{t("approvals.review.cancel")}</Button>
        <Button appearance="primary" disabledFocusable={!ready} onClick={() => void submit()}>
          {verb}
        </Button>
      </div>
    </fieldset>
  );
}
