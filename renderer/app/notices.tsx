import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { AttentionEntry } from "../../shared/api/index.ts";
import { subjectName, subjectRoute } from "../attention/subject.ts";
import { UrgencyMark } from "../attention/urgency.tsx";
import link from "../components/link.module.css";
import { ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./notices.module.css";
import { routeHash } from "./routes.ts";

/**
 * What newly needs somebody, told on every page but the list itself. The region is part of the page and takes its own
 * room: it never lies over what has the focus (operator-ux §4, 2.4.11). It is not spoken from here: the announcer says
 * one sentence a burst (4.1.3).
 */
export function Notices({ onList }: { readonly onList: boolean }) {
  const { t } = useTranslation();
  const { notices } = useStores();
  const { items, more } = useStore(notices.store);
  if (onList || items.length === 0) return null;
  return (
    <section className={styles.region} aria-label={t("notices.region")} data-testid="notices">
      <strong className={styles.title}>{t("notices.title")}</strong>
      <ul className={styles.list}>
        {items.map((item) => (
          <Notice key={item.id} item={item} />
        ))}
      </ul>
      {more > 0 && (
        <a className={link.open} href={routeHash({ page: "attention" })}>
          {t("notices.many", { count: more })}
        </a>
      )}
    </section>
  );
}

function Notice({ item }: { readonly item: AttentionEntry }) {
  const { t } = useTranslation();
  const { notices } = useStores();
  const name = subjectName(item, t);
  return (
    <li className={styles.notice}>
      <UrgencyMark urgency={item.urgency} />
      <span className={styles.kind}>{t(`attention.kind.${item.kind}.name`)}</span>
      <a className={link.open} href={routeHash(subjectRoute(item))} onClick={() => notices.close(item.id)}>
        <ForeignText text={name} id />
      </a>
      <button
        type="button"
        className={styles.close}
        aria-label={`${t("notices.close")}: ${markedText(name, true)}`}
        onClick={() => notices.close(item.id)}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
          <path d="M3 3l6 6M9 3l-6 6" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
      </button>
    </li>
  );
}
