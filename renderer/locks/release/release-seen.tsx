import { Spinner } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useSecondText } from "../../components/text.tsx";
import { phaseOf, type SentAction } from "../../state/action-sent.ts";
import { ProbeLines } from "../probes.tsx";
import styles from "./release.module.css";

/** The probes made at the moment of release, told before kintone's answer (screens, 強制解放). */
export function ReleaseSeen({ sent }: { readonly sent: SentAction }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const probes = sent.operation?.probes ?? [];
  const [first] = probes;
  const phase = phaseOf(sent);
  const waiting = phase === "sending" || phase === "accepted";
  if (first === undefined && !waiting) return null;
  return (
    <section className={styles.block} aria-labelledby="release-moment" data-testid="release-seen">
      <h3 className={styles.small} id="release-moment">
        {t("release.outcome.moment")}
        {first && (
          <span className={styles.time}>{t("locks.detail.probedAt", { time: secondText(first.at) })}</span>
        )}
      </h3>
      {first === undefined ? (
        <Spinner size="tiny" labelPosition="after" label={t("release.outcome.momentWait")} />
      ) : (
        <ProbeLines probes={probes} />
      )}
      <h3 className={styles.small}>{t("release.outcome.answer")}</h3>
    </section>
  );
}
