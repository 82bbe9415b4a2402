import { useTranslation } from "react-i18next";
import type { LockDetail, LockHolder, ProbeName } from "../../../shared/api/index.ts";
import { Fact } from "../../components/facts.tsx";
import { ProblemPanel } from "../../components/problem.tsx";
import { ExactTime, ForeignText, useSecondText } from "../../components/text.tsx";
import { HolderFacts } from "../lock-detail.tsx";
import { LeaseLeft, LockState } from "../lock-state.tsx";
import styles from "./release.module.css";

interface ReleaseFactsProps {
  readonly detail: LockDetail;
  readonly holder: LockHolder;
}

/** The holder's card: everything its record says, what this host knows of its process, when and at which revision. */
export function ReleaseFacts({ detail, holder }: ReleaseFactsProps) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const seenBy = (name: ProbeName): string | null =>
    detail.probes.find(({ probe }) => probe === name)?.seen ?? null;
  // The journal names the owner's own process; the table of processes may show another one under the number.
  const start = seenBy("journal") ?? seenBy("process");
  const image = seenBy("image");
  return (
    <div className={styles.block}>
      <div className={styles.stateLine}>
        <LockState holder={holder} large /> <LeaseLeft leaseExpiresAt={holder.leaseExpiresAt} />
        <span className={styles.time}>
          {t("release.readAt", { time: secondText(detail.readAt), revision: holder.revision })}
        </span>
      </div>
      <HolderFacts detail={detail} holder={holder}>
        {start !== null && (
          <Fact label={t("release.processStart")}>
            <ExactTime at={start} />
          </Fact>
        )}
        {image !== null && (
          <Fact label={t("release.image")} wide>
            <ForeignText text={image} />
          </Fact>
        )}
      </HolderFacts>
      {detail.nodesProblem && <ProblemPanel problem={detail.nodesProblem} />}
    </div>
  );
}
