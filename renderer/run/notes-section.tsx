import { Button, Input, Textarea } from "@fluentui/react-components";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { NAME_MAX, NOTE_MAX, type RunNote } from "../../shared/api/index.ts";
import { LongText } from "../components/long-text.tsx";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { ExactTime, ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./notes.module.css";

/** Notes on a Run for whoever comes next, kept on this host with author and time (operator-ux §1.2). */
export function NotesSection({ runId }: { readonly runId: string }) {
  const { t } = useTranslation();
  const { notes, workspace } = useStores();
  const list = useStore(notes.store, (state) => state.notes);
  const problem = useStore(notes.store, (state) => state.problem);
  const viewOnly = useStore(workspace.store, (state) => state.info.value?.mode === "view");
  useEffect(() => {
    void notes.open(runId);
    return () => notes.close();
  }, [notes, runId]);
  const told = list.problem ?? problem;
  return (
    <section className={page.section} aria-label={t("notes.title")}>
      <h2 className={page.heading}>{t("notes.title")}</h2>
      <p className={styles.quiet}>{t("notes.lead")}</p>
      {told && <ProblemPanel problem={told} />}
      {viewOnly ? <p className={styles.quiet}>{t("notes.viewOnly")}</p> : <NoteForm />}
      {list.value !== null && list.value.length > 0 && (
        <ul className={styles.notes}>
          {list.value.map((note) => (
            <Note key={note.noteId} note={note} viewOnly={viewOnly} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Note({ note, viewOnly }: { readonly note: RunNote; readonly viewOnly: boolean }) {
  const { t } = useTranslation();
  const { notes } = useStores();
  return (
    <li>
      <p className={styles.by}>
        <strong>
          <ForeignText text={note.author} />
        </strong>
        {note.account !== note.author && (
          <span>
            (<ForeignText text={note.account} />)
          </span>
        )}
        <ExactTime at={note.at} />
        {!viewOnly && (
          <Button
            size="small"
            appearance="subtle"
            aria-label={t("notes.removeOf", { author: note.author })}
            onClick={() => void notes.remove(note.noteId)}
          >
            {t("notes.remove")}
          </Button>
        )}
      </p>
      <LongText text={note.text} />
    </li>
  );
}

function NoteForm() {
  const { t } = useTranslation();
  const { notes, workspace } = useStores();
  const who = useStore(workspace.store, (state) => state.info.value?.requestedBy ?? "");
  const busy = useStore(notes.store, (state) => state.busy);
  const [author, setAuthor] = useState<string | null>(null);
  const [text, setText] = useState("");
  const id = useId();
  const name = author ?? who;
  const complete = name.trim() !== "" && text.trim() !== "";
  const add = async (): Promise<void> => {
    if (complete && (await notes.add(name, text))) setText("");
  };
  return (
    <div className={styles.form}>
      <label htmlFor={`${id}-author`}>{t("notes.author")}</label>
      <Input
        id={`${id}-author`}
        size="small"
        maxLength={NAME_MAX}
        value={name}
        onChange={(_, { value }) => setAuthor(value)}
      />
      <label htmlFor={`${id}-text`}>{t("notes.text")}</label>
      <Textarea
        id={`${id}-text`}
        size="small"
        rows={2}
        maxLength={NOTE_MAX}
        value={text}
        onChange={(_, { value }) => setText(value)}
      />
      <Button size="small" onClick={() => void add()} disabledFocusable={!complete || busy}>
        {t("notes.add")}
      </Button>
    </div>
  );
}
