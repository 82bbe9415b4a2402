import { useTranslation } from "react-i18next";
import type { AttentionEntry } from "../../shared/api/index.ts";
import face from "../components/face.module.css";
import { MinuteMark } from "../components/minute-mark.tsx";
import { ExactTime, ForeignText, MinuteTime } from "../components/text.tsx";
import { useLanguage } from "../state/context.tsx";
import styles from "./attention.module.css";

type Fact = AttentionEntry["facts"][number];

/** What the row rests on, as the records say it; that a record has nothing is said too. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={`${fact.name} ${fact.value}`}>
          <dt>
            {t(`attention.fact.${fact.name}`)}
            {fact.kind === "time" && fact.precision === "minute" && <MinuteMark />}
          </dt>
          <dd>
            <FactValue fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FactValue({ fact }: { readonly fact: Fact }) {
  const { t } = useTranslation();
  const count = new Intl.NumberFormat(useLanguage());
  if (fact.value === null) {
    const known = fact.name === "noLock" || fact.name === "notRead" ? fact.name : "other";
    return <span className={styles.quiet}>{t(`attention.absent.${known}`)}</span>;
  }
  switch (fact.kind) {
    case "text":
      return (
        <span className={styles.value}>
          <ForeignText text={fact.value} />
        </span>
      );
    case "count":
      return <span className={face.number}>{count.format(fact.value)}</span>;
    case "time":
      return fact.precision === "minute" ? <MinuteTime at={fact.value} /> : <ExactTime at={fact.value} />;
  }
}
