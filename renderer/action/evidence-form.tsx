import { Button, Field, Input, Textarea } from "@fluentui/react-components";
import { type ClipboardEvent, type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { EVIDENCE_MAX_BYTES } from "../../shared/api/index.ts";
import face from "../components/face.module.css";
import page from "../components/page.module.css";
import { ForeignText } from "../components/text.tsx";
import { sizeParts } from "../log/size.ts";
import { useStores } from "../state/context.tsx";
import type { EvidenceFile, EvidenceSource } from "../state/evidence-files.ts";
import { markedText } from "../text/marks.ts";
import styles from "./action.module.css";
import { ReasonField } from "./reason-field.tsx";

const sizeText = (bytes: number): string => {
  const { size, unit } = sizeParts(bytes);
  return `${size} ${unit}`;
};

const sourceOf = (file: File): EvidenceSource => ({
  name: file.name,
  size: file.size,
  read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
});

/**
 * Who made sure, what shows it, and why: the part of the form that actions of level 3 and 4 have in common
 * (operator-ux §2.3, step 4). Files are hashed and kept by main; the form names them.
 */
export function EvidenceForm() {
  const { t } = useTranslation();
  const { action } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  if (intent === undefined || !("stopConfirmedBy" in intent)) return null;
  return (
    <>
      <Field label={t("action.evidence.confirmedBy")} hint={t("action.evidence.confirmedByHint")} required>
        <Input
          value={intent.stopConfirmedBy}
          maxLength={200}
          autoComplete="off"
          onChange={(_, { value }) => action.edit({ stopConfirmedBy: value })}
        />
      </Field>
      <EvidenceFields text={intent.evidenceText} />
      <ReasonField />
    </>
  );
}

/** The evidence itself: text, files, or both. */
export function EvidenceFields({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const [over, setOver] = useState(false);
  const take = (files: Iterable<File>): boolean => {
    const sources = [...files].map(sourceOf);
    if (sources.length > 0) void action.addFiles(sources);
    return sources.length > 0;
  };
  const onPaste = (event: ClipboardEvent): void => {
    // A picture of a screen comes as a file; text goes to the field as ever.
    if (take(event.clipboardData.files)) event.preventDefault();
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <fieldset
      className={styles.evidence}
      data-over={over || undefined}
      onPaste={onPaste}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <legend className={styles.legend}>{t("action.evidence.title")}</legend>
      <Field label={t("action.evidence.text")} hint={t("action.evidence.textHint")}>
        <Textarea
          value={text}
          rows={2}
          maxLength={2000}
          onChange={(_, { value }) => action.edit({ evidenceText: value })}
        />
      </Field>
      <ChooseFiles onFiles={take} />
      <FileList />
    </fieldset>
  );
}

function ChooseFiles({ onFiles }: { readonly onFiles: (files: Iterable<File>) => unknown }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.choose}>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="evidence-files"
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          // The same file can be chosen again after it was removed.
          event.target.value = "";
        }}
      />
      <Button size="small" onClick={() => input.current?.click()}>
        {t("action.evidence.choose")}
      </Button>
      <span className={page.quiet}>
        {t("action.evidence.chooseHint", { size: sizeText(EVIDENCE_MAX_BYTES) })}
      </span>
    </div>
  );
}

function FileList() {
  const { t } = useTranslation();
  const { action } = useStores();
  const files = useStore(action.store, ({ draft }) => draft?.files);
  if (files === undefined || files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={t("action.evidence.files")}>
      {files.map((file) => (
        <FileLine key={file.id} file={file} onRemove={() => action.removeFile(file.id)} />
      ))}
    </ul>
  );
}

function FileLine({ file, onRemove }: { readonly file: EvidenceFile; readonly onRemove: () => void }) {
  const { t } = useTranslation();
  const { name, size, sent, state, sha256, problem } = file;
  return (
    <li data-file={state}>
      <span className={styles.nodeName}>
        <ForeignText text={name} id />
      </span>
      <span className={face.number}>{sizeText(size)}</span>
      {state === "sending" && (
        <progress max={Math.max(1, size)} value={sent} aria-label={t("action.evidence.sending", { name })} />
      )}
      {sha256 !== null && (
        <span className={face.mono} title={`SHA-256 ${sha256}`}>
          SHA-256 {sha256.slice(0, 12)}…
        </span>
      )}
      {state === "failed" && (
        <span className={styles.fault} role="alert">
          {t("action.evidence.failed")} ({problem?.code})
        </span>
      )}
      <Button
        size="small"
        appearance="subtle"
        aria-label={t("action.evidence.removeNamed", { name: markedText(name, true) })}
        onClick={onRemove}
      >
        {t("action.evidence.remove")}
      </Button>
    </li>
  );
}
