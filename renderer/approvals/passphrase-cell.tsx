import { Button, Field, Input } from "@fluentui/react-components";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { PASSPHRASE_MAX, PASSPHRASE_MIN } from "../../shared/api/index.ts";
import { HEIRS } from "../components/kept-focus.ts";
import { guidanceOf } from "../components/problem.tsx";
import settings from "../settings/settings.module.css";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./approvals.module.css";

interface CellProps {
  readonly account: string;
  readonly registered: boolean;
  readonly mayChange: boolean;
}

/** Sets, replaces or removes the passphrase of an approver; it is never shown again. */
export function PassphraseCell({ account, registered, mayChange }: CellProps) {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const [entering, setEntering] = useState(false);
  if (!mayChange) return <span className={settings.hint}>{t("approvals.people.notYours")}</span>;
  const set = t(registered ? "approvals.people.replace" : "approvals.people.register");
  const named = (what: string): string =>
    t("approvals.people.of", { account: markedText(account, true), what });
  if (entering) {
    return (
      <div {...HEIRS}>
        <PassphraseEntry account={account} close={() => setEntering(false)} />
      </div>
    );
  }
  return (
    <div className={styles.buttons} {...HEIRS}>
      <Button size="small" aria-label={named(set)} onClick={() => setEntering(true)}>
        {set}
      </Button>
      {registered && (
        <Button
          size="small"
          appearance="subtle"
          aria-label={named(t("approvals.people.remove"))}
          onClick={() => void approvals.remove(account)}
        >
          {t("approvals.people.remove")}
        </Button>
      )}
    </div>
  );
}

/** What is typed stands in the two fields alone; of it the page keeps only its length and whether both are the same. */
function PassphraseEntry({ account, close }: { readonly account: string; readonly close: () => void }) {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState({ length: 0, again: 0, same: true });
  const busy = useStore(approvals.store, (state) => state.busy === account);
  const problem = useStore(approvals.store, ({ refused }) =>
    refused?.about === account ? refused.problem : null,
  );
  const look = (): void => {
    const [one, two] = [first.current?.value ?? "", second.current?.value ?? ""];
    setTyped({ length: [...one].length, again: [...two].length, same: one === two });
  };
  const lacking = PASSPHRASE_MIN - typed.length;
  const ready = lacking <= 0 && typed.same && !busy;
  const keep = async (): Promise<void> => {
    if (ready && (await approvals.register(account, first.current?.value ?? ""))) close();
  };
  const short = typed.length > 0 && lacking > 0 ? t("approvals.people.short", { count: lacking }) : undefined;
  const differs = typed.again > 0 && !typed.same ? t("approvals.people.differs") : undefined;
  return (
    <fieldset className={styles.entry} aria-label={markedText(account, true)}>
      <Field
        label={t("approvals.people.passphrase")}
        hint={t("approvals.people.hint", { count: PASSPHRASE_MIN })}
        validationState={short === undefined && problem === null ? "none" : "error"}
        validationMessage={short ?? (problem === null ? undefined : guidanceOf(problem, t).cause)}
      >
        <Input
          type="password"
          autoFocus
          autoComplete="new-password"
          maxLength={PASSPHRASE_MAX}
          ref={first}
          onChange={look}
        />
      </Field>
      <Field
        label={t("approvals.people.again")}
        validationState={differs === undefined ? "none" : "error"}
        validationMessage={differs}
      >
        <Input
          type="password"
          autoComplete="new-password"
          maxLength={PASSPHRASE_MAX}
          ref={second}
          onChange={look}
        />
      </Field>
      <div className={styles.row}>
        <Button size="small" onClick={close}>
          {t("approvals.people.cancel")}
        </Button>
        <Button size="small" appearance="primary" disabledFocusable={!ready} onClick={() => void keep()}>
          {t("approvals.people.keep")}
        </Button>
      </div>
    </fieldset>
  );
}
