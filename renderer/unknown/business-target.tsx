import { useTranslation } from "react-i18next";
import type { BusinessTarget } from "../../shared/api/index.ts";
import face from "../components/face.module.css";
import { Fact, Facts } from "../components/facts.tsx";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { type Column, cell, Table } from "../components/table.tsx";
import { Absent, ForeignText, MinuteTime, useSecondText } from "../components/text.tsx";
import { useLanguage } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./unknown.module.css";

/** One app: how many records, which of them answer, what was asked word by word, and when. */
export function Target({ target }: { readonly target: BusinessTarget }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const count = new Intl.NumberFormat(useLanguage());
  const { app, appId, asked, problem, total, matching } = target;
  return (
    <section className={styles.target} data-app={appId} aria-label={markedText(app, true)}>
      <div className={page.head}>
        <h3 className={page.heading}>
          <ForeignText text={t("unknown.business.target", { app, id: appId })} id />
        </h3>
        <span className={page.quiet}>
          {t("unknown.business.took", { time: secondText(target.askedAt), ms: target.tookMs })}
        </span>
      </div>
      <Facts roomy>
        <Fact label={t("unknown.business.operations")}>
          <span className={face.mono}>{target.operations.join(" · ")}</span>
        </Fact>
        <Fact label={t("unknown.business.key")}>
          {target.key === null ? <Absent /> : <ForeignText text={target.key} id />}
        </Fact>
        <Fact label={t("unknown.business.total")}>
          <Count value={total} count={count} />
        </Fact>
        <Fact label={t("unknown.business.matching")}>
          <Count value={matching} count={count} />
        </Fact>
      </Facts>
      {problem && <ProblemPanel problem={problem} />}
      {target.operations.includes("DELETE") && <p className={page.quiet}>{t("unknown.business.deletes")}</p>}
      {problem === null && <Records target={target} />}
      {asked.length > 0 && (
        <details className={styles.asked}>
          <summary>{t("unknown.business.asked")}</summary>
          <ul>
            {asked.map((query) => (
              <li key={query} className={face.mono}>
                <ForeignText text={query} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Count({ value, count }: { readonly value: number | null; readonly count: Intl.NumberFormat }) {
  const { t } = useTranslation();
  if (value === null) return <Absent />;
  return t("unknown.business.number", { number: count.format(value) });
}

function Records({ target: { app, fields, records, matching } }: { readonly target: BusinessTarget }) {
  const { t } = useTranslation();
  if (records.length === 0) return <p className={page.text}>{t("unknown.business.none")}</p>;
  const columns: readonly Column[] = [
    { key: "$id", label: t("unknown.business.column.id"), align: "right" },
    ...fields.map((code) => ({ key: `field ${code}`, label: markedText(code, true) })),
    { key: "updatedAt", label: t("unknown.business.column.updatedAt"), minute: true },
    { key: "updatedBy", label: t("unknown.business.column.updatedBy") },
    { key: "createdAt", label: t("unknown.business.column.createdAt"), minute: true },
  ];
  return (
    <>
      <div className={styles.records}>
        <Table caption={t("unknown.business.records", { app: markedText(app, true) })} columns={columns}>
          {records.map((record) => (
            <tr key={record.recordId}>
              <td className={cell.number}>{record.recordId}</td>
              {record.values.map((value, index) => (
                // A record has one value a field, in the order of the fields.
                <td key={fields[index] ?? ""}>{value === "" ? <Absent /> : <ForeignText text={value} />}</td>
              ))}
              <td>
                <MinuteTime at={record.updatedAt} />
              </td>
              <td>{record.updatedBy === null ? <Absent /> : <ForeignText text={record.updatedBy} />}</td>
              <td>
                <MinuteTime at={record.createdAt} />
              </td>
            </tr>
          ))}
        </Table>
      </div>
      {(matching ?? 0) > records.length && (
        <p className={page.quiet}>{t("unknown.business.shown", { shown: records.length })}</p>
      )}
    </>
  );
}
