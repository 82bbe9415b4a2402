import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { LongText } from "../components/long-text.tsx";
import page from "../components/page.module.css";
import { useLanguage, useStores } from "../state/context.tsx";
import { SHOWN_CHARACTERS } from "./line-parts.ts";

/** The selected line as a whole, where its row shows only the beginning. */
export function LineDetail({ line }: { readonly line: number }) {
  const { t } = useTranslation();
  const { logs } = useStores();
  const number = new Intl.NumberFormat(useLanguage());
  const found = useStore(logs.store, (state) => state.lines.get(line));
  if (found === undefined || (!found.folded && found.text.length <= SHOWN_CHARACTERS)) return null;
  return (
    <section className={page.section} aria-label={t("run.log.lineDetail", { line: number.format(line + 1) })}>
      <h3 className={page.heading}>{t("run.log.lineDetail", { line: number.format(line + 1) })}</h3>
      {found.folded && (
        <p className={page.quiet}>{t("run.log.folded", { size: number.format(found.bytes) })}</p>
      )}
      <LongText key={line} text={found.text} />
    </section>
  );
}
