import { Spinner } from "@fluentui/react-components";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { AuditDetail, AuditEvidence } from "../../shared/api/index.ts";
import ja from "../../shared/text/audit.ja.json" with { type: "json" };
import { routeHash } from "../app/routes.ts";
import face from "../components/face.module.css";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import { LongText } from "../components/long-text.tsx";
import page from "../components/page.module.css";
import { Panel } from "../components/panel.tsx";
import { ProblemPanel } from "../components/problem.tsx";
import { Absent, CopyId, ExactTime, ForeignText, MinuteTime, useSecondText } from "../components/text.tsx";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { useLanguage, useStores } from "../state/context.tsx";
import styles from "./audit.module.css";
import { kindName } from "./kind-name.ts";

/** One entry whole: every field of its record, and whether the files it names are still what was given. */
export function AuditDetailPanel() {
  const { t } = useTranslation();
  const { audit } = useStores();
  const { value, problem } = useStore(audit.store, (state) => state.detail);
  return (
    <>
      {problem && (
        <Panel title={null}>
          <ProblemPanel
            problem={problem}
            action={{ label: t("problem.retry"), run: () => void audit.readEntry() }}
          />
        </Panel>
      )}
      {value === null && problem === null && (
        <Spinner size="tiny" label={t("audit.detail.loading")} labelPosition="after" />
      )}
      {value && <Entry detail={value} />}
    </>
  );
}

function Entry({ detail }: { readonly detail: AuditDetail }) {
  const { t } = useTranslation();
  const { entry, problem } = detail;
  return (
    <Panel title={kindName(entry, t)}>
      <p className={page.text}>{t(`audit.meaning.${entry.kind}`)}</p>
      {problem && <Unreadable detail={detail} />}
      <EntryFacts detail={detail} />
      {detail.evidence.length > 0 && <Evidence evidence={detail.evidence} />}
      {detail.fields.length > 0 && <Fields detail={detail} />}
    </Panel>
  );
}

/** A record that no reader of ours understands: it is told as it is, and not guessed. */
function Unreadable({ detail }: { readonly detail: AuditDetail }) {
  const { t } = useTranslation();
  const { order, revision } = detail.entry;
  return (
    <>
      <p className={page.text}>
        <strong>{t("audit.undecidable")}</strong>{" "}
        {t("audit.undecidablePlace", { record: order, revision: revision ?? t("text.none") })}
      </p>
      {detail.problem && <ProblemPanel problem={detail.problem} />}
    </>
  );
}

function EntryFacts({ detail: { entry, readAt } }: { readonly detail: AuditDetail }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const { at, precision, runId } = entry;
  return (
    <Facts>
      <Fact label={t("audit.column.at")} minute={precision === "minute"}>
        {at === null ? <Absent /> : precision === "exact" ? <ExactTime at={at} /> : <MinuteTime at={at} />}
      </Fact>
      <Fact label={t("audit.column.result")}>
        <span className={face.mono}>
          {entry.result === null ? <Absent /> : <GuidanceLink code={entry.result} onlyKnown />}
        </span>
      </Fact>
      {(["account", "who", "confirmedBy", "approvedBy", "principal"] as const).map((name) => {
        const value = entry[name];
        return (
          value !== null && (
            <Fact key={name} label={t(`audit.fact.${name}`)}>
              <ForeignText text={value} />
            </Fact>
          )
        );
      })}
      {runId !== null && (
        <Fact label={t("audit.fact.run")} wide>
          <a className={link.link} href={routeHash({ page: "run", runId })}>
            <ForeignText text={entry.businessKey ?? runId} id />
          </a>
        </Fact>
      )}
      {entry.reason !== null && (
        <Fact label={t("audit.fact.reason")} wide>
          <LongText text={entry.reason} />
        </Fact>
      )}
      <Fact label={t("audit.column.record")}>
        {t(`audit.place.${entry.source}`, { order: entry.order })}
        {entry.revision !== null && ` r${entry.revision}`}
      </Fact>
      <Fact label={t("audit.fact.readAt")}>{secondText(readAt)}</Fact>
    </Facts>
  );
}

function Evidence({ evidence }: { readonly evidence: readonly AuditEvidence[] }) {
  const { t } = useTranslation();
  const count = new Intl.NumberFormat(useLanguage());
  return (
    <section className={page.section} aria-label={t("audit.evidence.title")}>
      <h3 className={page.heading}>{t("audit.evidence.title")}</h3>
      <ul className={styles.evidence}>
        {evidence.map(({ sha256, name, bytes, state }) => (
          <li key={sha256} data-evidence={state}>
            <span>
              {name === null ? t("audit.evidence.unnamed") : <ForeignText text={name} />}
              {bytes !== null && (
                <span className={page.quiet}>
                  {" "}
                  {t("audit.evidence.bytes", { count: count.format(bytes) })}
                </span>
              )}
            </span>
            <CopyId id={sha256} what="SHA-256" />
            <span className={styles.verdict}>{t(`audit.evidence.state.${state}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type FieldLabel = keyof typeof ja.audit.field;
const isLabelled = (name: string): name is FieldLabel => Object.hasOwn(ja.audit.field, name);

/** The words of a field where there are some; its own name always stands behind them. */
function labelOf(name: string, t: TFunction): string | null {
  const last = name.split(".").at(-1) ?? name;
  return isLabelled(last) ? t(`audit.field.${last}`) : null;
}

function Fields({ detail }: { readonly detail: AuditDetail }) {
  const { t } = useTranslation();
  return (
    <section className={page.section} aria-label={t("audit.fields")}>
      <h3 className={page.heading}>{t("audit.fields")}</h3>
      <table className={styles.fields}>
        <tbody>
          {detail.fields.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">
                {labelOf(name, t)} <span className={`${face.code} ${styles.fieldName}`}>{name}</span>
              </th>
              <td>{value === null ? <Absent /> : <LongText text={value} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
