import { useTranslation } from "react-i18next";
import type { ProcessFacts } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { cell } from "../components/table.tsx";
import { ExactTime, ForeignText } from "../components/text.tsx";
import { sizeParts } from "../log/size.ts";
import styles from "./processes.module.css";
import { percentText, secondsText } from "./usage.ts";

/** When the system created it, exact; a bare number says nothing about who it is. */
export function Started({ at }: { readonly at: string | null }) {
  const { t } = useTranslation();
  return at === null ? (
    <span className={page.quiet}>{t("processes.unknownTime")}</span>
  ) : (
    <ExactTime at={at} />
  );
}

/** Share of a processor now, and the time in all. */
export function Cpu({ facts: { cpuShare, cpuMs } }: { readonly facts: ProcessFacts }) {
  const { t } = useTranslation();
  if (cpuMs === null) return <NotTold />;
  return (
    <>
      {cpuShare !== null && t("processes.cpuShare", { percent: percentText(cpuShare) })}
      <span className={cell.sub}>{t("processes.cpuTotal", { seconds: secondsText(cpuMs) })}</span>
    </>
  );
}

export function Memory({ facts: { memoryBytes } }: { readonly facts: ProcessFacts }) {
  const { t } = useTranslation();
  return memoryBytes === null ? <NotTold /> : t("processes.memory", sizeParts(memoryBytes));
}

function NotTold() {
  const { t } = useTranslation();
  return <span className={page.quiet}>{t("processes.notTold")}</span>;
}

/** As it was given, with secrets hidden before it came here. */
export function CommandLine({ facts: { commandLine, image } }: { readonly facts: ProcessFacts }) {
  const { t } = useTranslation();
  const text = commandLine ?? image;
  return text === null ? (
    <span className={page.quiet}>{t("processes.notTold")}</span>
  ) : (
    <span className={styles.command}>
      <ForeignText text={text} />
    </span>
  );
}
