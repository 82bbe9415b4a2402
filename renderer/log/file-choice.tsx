import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { LogFile } from "../../shared/api/index.ts";
import { Segments } from "../components/segments.tsx";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./log.module.css";
import { sizeParts } from "./size.ts";

interface FileChoiceProps {
  readonly files: readonly LogFile[];
  readonly name: string | null;
}

/** What a log is by its name: the two outputs have fixed names, anything else is the runner's events. */
export function useFileLabel(): (name: string) => string {
  const { t } = useTranslation();
  const files = useStore(useStores().logs.store, (state) => state.files.value?.files);
  // A runner may write several logs of one attempt; then their names tell them apart.
  const several = (files?.filter(({ name }) => !name.startsWith("std")).length ?? 0) > 1;
  return (name) => {
    if (name === "stdout.log") return t("run.log.stdout");
    if (name === "stderr.log") return t("run.log.stderr");
    return several ? markedText(name) : t("run.log.events");
  };
}

/** The logs of the attempt, one of them in sight. */
export function FileChoice({ files, name }: FileChoiceProps) {
  const { t } = useTranslation();
  const { logs } = useStores();
  const labelOf = useFileLabel();
  return (
    <Segments
      label={t("run.log.file")}
      name="log-file"
      value={name}
      segments={files.map((file) => ({
        value: file.name,
        title: markedText(file.name),
        label: (
          <>
            {labelOf(file.name)}
            <span className={styles.size}>{t("run.log.size", sizeParts(file.sizeBytes))}</span>
          </>
        ),
      }))}
      onChoose={(file) => void logs.choose(file)}
    />
  );
}
