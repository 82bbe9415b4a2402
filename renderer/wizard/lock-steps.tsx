import { useTranslation } from "react-i18next";
import type { RecoveryPicture } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { Absent, CopyId, ForeignText, MinuteTime } from "../components/text.tsx";
import { Verdict } from "../locks/probes.tsx";
import styles from "./wizard.module.css";

/** Who holds the network, as its record says, and what was just found out about its process. */
export function HolderFacts({ picture: { lock } }: { readonly picture: RecoveryPicture }) {
  const { t } = useTranslation();
  const holder = lock?.lock.holder;
  if (lock === null || holder === null || holder === undefined) return null;
  return (
    <>
      <Facts roomy>
        <Fact label={t("recovery.fact.owner")}>
          {holder.ownerInvocationId === null ? (
            <Absent />
          ) : (
            <CopyId id={holder.ownerInvocationId} what={t("recovery.fact.owner")} />
          )}
        </Fact>
        <Fact label={t("recovery.fact.host")}>
          {holder.host === null ? <Absent /> : <ForeignText text={holder.host} />}
        </Fact>
        <Fact label={t("recovery.fact.pid")}>{holder.pid ?? <Absent />}</Fact>
        <Fact label={t("recovery.fact.leaseEnd")}>
          <MinuteTime at={holder.leaseExpiresAt} />
        </Fact>
        <Fact label={t("recovery.fact.marginEnd")}>
          <MinuteTime at={holder.marginEndsAt} />
        </Fact>
      </Facts>
      <p className={page.text}>
        <a className={link.crumb} href={routeHash({ page: "locks", recordId: holder.recordId })}>
          {t("recovery.panel.open")}
        </a>
      </p>
    </>
  );
}

/** What follows from PID, creation time and journal about the owner. */
export function OwnerVerdict({ picture: { lock } }: { readonly picture: RecoveryPicture }) {
  return lock === null ? null : <Verdict detail={lock} />;
}

/** The way to the forced release of exactly this lock. */
export function ReleaseStep({ picture: { lock } }: { readonly picture: RecoveryPicture }) {
  const { t } = useTranslation();
  const recordId = lock?.lock.holder?.recordId;
  if (recordId === undefined) return null;
  return (
    <p className={page.text}>
      <a className={styles.go} href={routeHash({ page: "locks", recordId, release: true })}>
        {t("recovery.step.forceUnlock.open")}
      </a>
    </p>
  );
}
