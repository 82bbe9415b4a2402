import { Button, Field, Input } from "@fluentui/react-components";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { TokenInfo } from "../../shared/api/index.ts";
import face from "../components/face.module.css";
import { HEIRS } from "../components/kept-focus.ts";
import { guidanceOf } from "../components/problem.tsx";
import { useStores } from "../state/context.tsx";
import { tokenKey } from "../state/settings.ts";
import { useMayEdit } from "./fields.tsx";
import styles from "./settings.module.css";
import tokens from "./tokens.module.css";

interface TokenProps {
  readonly connectionId: string;
  readonly slot: string;
  readonly name: string;
  /** Null for a slot that is not saved yet. */
  readonly token: TokenInfo | null;
  /** The connection, or this app of it, has to be saved first. */
  readonly waits: boolean;
}

const GLYPHS = { set: "✓", unset: "–", undecryptable: "!" } as const;

/** Whether a token is there and how it ends; a new one goes in here and is never shown again. */
export function TokenCell(props: TokenProps) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const { connectionId, slot, name, token, waits } = props;
  const [entering, setEntering] = useState(false);
  const available = useStore(settings.store, (state) => state.view.value?.secretStore === "available");
  const mayEdit = useMayEdit();
  const state = token?.state ?? "unset";
  if (entering) {
    return (
      <div {...HEIRS}>
        <TokenEntry {...props} close={() => setEntering(false)} />
      </div>
    );
  }
  return (
    <div className={tokens.token} {...HEIRS}>
      <span className={tokens.tokenState} data-state={state}>
        <span className={tokens.tokenGlyph} aria-hidden="true">
          {GLYPHS[state]}
        </span>
        {t(`settings.token.${state}`)}
        {token?.ending && (
          <span className={face.code}>{t("settings.token.ending", { ending: token.ending })}</span>
        )}
      </span>
      {mayEdit && available && !waits && (
        <Button
          size="small"
          aria-label={`${name}: ${t(state === "set" ? "settings.token.replace" : "settings.token.enter")}`}
          onClick={() => setEntering(true)}
        >
          {t(state === "set" ? "settings.token.replace" : "settings.token.enter")}
        </Button>
      )}
      {mayEdit && available && !waits && state !== "unset" && (
        <Button
          size="small"
          appearance="subtle"
          aria-label={`${name}: ${t("settings.token.remove")}`}
          onClick={() => void settings.removeToken(connectionId, slot)}
        >
          {t("settings.token.remove")}
        </Button>
      )}
    </div>
  );
}

/** What main takes: printable, without what separates tokens in a header. */
const USABLE = /^[!-+\--~]{1,500}$/;

function TokenEntry({ connectionId, slot, name, close }: TokenProps & { readonly close: () => void }) {
  const { t } = useTranslation();
  const { settings } = useStores();
  // In the field alone, and gone with it: no store, no address and no attribute of the page ever holds a token.
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<"nothing" | "usable" | "unusable">("nothing");
  const key = tokenKey(connectionId, slot);
  const busy = useStore(settings.store, (state) => state.tokenBusy === key);
  const problem = useStore(settings.store, (state) =>
    state.tokenProblem?.key === key ? state.tokenProblem.problem : null,
  );
  const judge = (text: string): void =>
    setTyped(text.trim() === "" ? "nothing" : USABLE.test(text.trim()) ? "usable" : "unusable");
  const keep = async (): Promise<void> => {
    const value = input.current?.value.trim() ?? "";
    if (!USABLE.test(value) || busy) return;
    if (await settings.setToken(connectionId, slot, value)) close();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") void keep();
    if (event.key !== "Escape") return;
    event.preventDefault();
    close();
  };
  const message =
    typed === "unusable"
      ? t("settings.token.invalid")
      : problem === null
        ? undefined
        : guidanceOf(problem, t).cause;
  return (
    <div className={tokens.token}>
      <Field
        className={tokens.tokenField}
        validationState={message === undefined ? "none" : "error"}
        validationMessage={message}
      >
        <Input
          type="password"
          autoFocus
          autoComplete="off"
          aria-label={t("settings.token.value", { slot: name })}
          ref={input}
          className={styles.wide}
          onChange={(_, data) => judge(data.value)}
          onKeyDown={onKey}
        />
      </Field>
      <Button
        size="small"
        appearance="primary"
        disabledFocusable={typed !== "usable" || busy}
        onClick={() => void keep()}
      >
        {t("settings.token.keep")}
      </Button>
      <Button size="small" onClick={close}>
        {t("settings.token.cancel")}
      </Button>
    </div>
  );
}
