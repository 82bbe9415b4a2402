import { useTranslation } from "react-i18next";
import type { PollerView } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import { Mark } from "../components/mark.tsx";
import note from "../components/note.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { ExactTime, ForeignText, MinuteTime } from "../components/text.tsx";
import { useNow } from "../state/context.tsx";
import { minutesAgo } from "./minutes-ago.ts";
import styles from "./requests.module.css";

/** Who carries requests out: this console or another, its last cycle and error, and what waits (operator-ux §1.1). */
export function PollerHealth({ poller }: { readonly poller: PollerView }) {
  const { t } = useTranslation();
  const { here, silent, waiting, accepted, running, intervalMs } = poller;
  const count = (value: number): string => t("requests.poller.count", { count: value });
  return (
    <section
      className={`${note.note} ${styles.poller}`}
      aria-label={t("requests.poller.title")}
      data-silent={silent || undefined}
    >
      <div className={styles.pollerHead}>
        <strong>{t("requests.poller.title")}</strong>
        <span className={styles.health} data-testid="poller-state">
          <Mark>
            <path d={silent ? "M8 1.6l6.8 12.2H1.2zM8 6.2v3.6M8 11.8v.1" : "M1.5 8h3l2-4.5 3 9 2-4.5h3"} />
          </Mark>
          {silent
            ? t("requests.poller.silent")
            : here
              ? t("requests.poller.here")
              : t("requests.poller.notHere")}
        </span>
        {!here && <span className={page.quiet}>{t("requests.poller.notHereNext")}</span>}
      </div>
      <Facts roomy>
        <Fact label={t("requests.poller.waiting")}>{count(waiting)}</Fact>
        <Fact label={t("requests.poller.oldest")}>
          <Oldest poller={poller} />
        </Fact>
        <Fact label={t("requests.poller.accepted")}>{count(accepted)}</Fact>
        <Fact label={t("requests.poller.lastClaim")}>
          <LastClaim poller={poller} />
        </Fact>
        {here && (
          <>
            <Fact label={t("requests.poller.lastCycle")}>
              {poller.lastSuccessAt === null ? (
                t("requests.poller.never")
              ) : (
                <ExactTime at={poller.lastSuccessAt} />
              )}
              {intervalMs !== null && (
                <span className={page.quiet}>
                  {" "}
                  ({t("requests.poller.interval", { seconds: intervalMs / 1000 })})
                </span>
              )}
            </Fact>
            <Fact label={t("requests.poller.error")}>
              {poller.problem === null ? (
                t("requests.poller.noError")
              ) : (
                <ForeignText text={poller.problem.code} />
              )}
            </Fact>
            <Fact label={t("requests.poller.running")}>{count(running)}</Fact>
          </>
        )}
      </Facts>
      {poller.problem && <ProblemPanel problem={poller.problem} />}
    </section>
  );
}

function Oldest({ poller: { oldestWaiting } }: { readonly poller: PollerView }) {
  const { t } = useTranslation();
  const now = useNow();
  if (oldestWaiting === null) return t("requests.poller.none");
  return (
    <>
      <a
        className={link.open}
        href={routeHash({ page: "requests", view: "all", requestId: oldestWaiting.id })}
      >
        {oldestWaiting.id}
      </a>{" "}
      {minutesAgo(oldestWaiting.createdAt, now, t)}
    </>
  );
}

function LastClaim({ poller: { lastClaim } }: { readonly poller: PollerView }) {
  const { t } = useTranslation();
  if (lastClaim === null) return t("requests.poller.none");
  return (
    <>
      <ForeignText text={lastClaim.host} /> <MinuteTime at={lastClaim.at} />
    </>
  );
}
