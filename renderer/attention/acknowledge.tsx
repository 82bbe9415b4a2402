import { Button, Input } from "@fluentui/react-components";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type AttentionEntry, NAME_MAX, NOTE_MAX } from "../../shared/api/index.ts";
import { HEIRS } from "../components/kept-focus.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./acknowledge.module.css";

interface AcknowledgeProps {
  readonly item: AttentionEntry;
  /** What the row is about, for the names of its buttons. */
  readonly name: string;
}

/** 対応中: who looks into it, on the row; the row stays until it is resolved (operator-ux §1.2). */
export function Acknowledge({ item, name }: AcknowledgeProps) {
  const { notes, workspace } = useStores();
  const marking = useStore(notes.store, (state) => state.marking === item.id);
  const refused = useStore(notes.store, (state) => state.markProblem);
  const viewOnly = useStore(workspace.store, (state) => state.info.value?.mode === "view");
  return (
    <div className={styles.place} {...HEIRS}>
      {item.acknowledged === undefined ? (
        <MarkIt item={item} name={name} marking={marking} viewOnly={viewOnly} />
      ) : (
        <Marked item={item} mark={item.acknowledged} name={name} viewOnly={viewOnly} />
      )}
      {refused?.itemId === item.id && <ProblemPanel problem={refused.problem} />}
    </div>
  );
}

interface MarkedProps extends AcknowledgeProps {
  readonly mark: NonNullable<AttentionEntry["acknowledged"]>;
  readonly viewOnly: boolean;
}

function Marked({ item, mark, name, viewOnly }: MarkedProps) {
  const { t } = useTranslation();
  const { notes } = useStores();
  const secondText = useSecondText();
  return (
    <p className={styles.mark} data-testid="acknowledged">
      <strong>{t("notes.taken")}</strong> <ForeignText text={mark.name} />
      {mark.account !== mark.name && (
        <span className={page.quiet}>
          (<ForeignText text={mark.account} />)
        </span>
      )}
      <span className={page.quiet}>{t("notes.since", { time: secondText(mark.at) })}</span>
      {mark.note !== "" && <ForeignText text={mark.note} />}
      {!viewOnly && (
        <button
          type="button"
          className={styles.small}
          onClick={() => void notes.release(item.id)}
          aria-label={t("notes.releaseOf", { what: markedText(name, true) })}
        >
          {t("notes.release")}
        </button>
      )}
    </p>
  );
}

interface MarkItProps extends AcknowledgeProps {
  readonly marking: boolean;
  readonly viewOnly: boolean;
}

function MarkIt({ item, name, marking, viewOnly }: MarkItProps) {
  const { t } = useTranslation();
  const { notes } = useStores();
  if (marking) return <MarkForm item={item} name={name} onLeave={() => notes.mark(null)} />;
  return (
    <button
      type="button"
      className={styles.small}
      aria-label={t("notes.takeOf", { what: markedText(name, true) })}
      aria-disabled={viewOnly || undefined}
      title={viewOnly ? t("notes.viewOnly") : undefined}
      onClick={() => {
        if (!viewOnly) notes.mark(item.id);
      }}
    >
      {t("notes.take")}
    </button>
  );
}

function MarkForm({ item, name, onLeave }: AcknowledgeProps & { readonly onLeave: () => void }) {
  const { t } = useTranslation();
  const { notes, workspace } = useStores();
  const who = useStore(workspace.store, (state) => state.info.value?.requestedBy ?? "");
  const [person, setPerson] = useState(who);
  const [note, setNote] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (person.trim() !== "") void notes.acknowledge(item.id, person, note);
  };
  return (
    // Enter in a field records it, which can be taken back; not while an IME composes: then it is the IME's.
    <form
      className={styles.form}
      aria-label={t("notes.takeOf", { what: markedText(name, true) })}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        onLeave();
      }}
    >
      <label htmlFor={`${id}-name`}>{t("notes.person")}</label>
      <Input
        id={`${id}-name`}
        ref={field}
        size="small"
        maxLength={NAME_MAX}
        value={person}
        onChange={(_, { value }) => setPerson(value)}
      />
      <label htmlFor={`${id}-note`}>{t("notes.note")}</label>
      <Input
        id={`${id}-note`}
        size="small"
        className={styles.note}
        maxLength={NOTE_MAX}
        value={note}
        onChange={(_, { value }) => setNote(value)}
      />
      <Button size="small" type="submit" disabledFocusable={person.trim() === ""}>
        {t("notes.record")}
      </Button>
      <Button size="small" appearance="subtle" onClick={onLeave}>
        {t("notes.close")}
      </Button>
    </form>
  );
}
