import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { EvidenceRow, UnknownDetail } from "../../shared/api/index.ts";
import { MinuteMark } from "../components/minute-mark.tsx";
import page from "../components/page.module.css";
import { cell, Table } from "../components/table.tsx";
import { Absent, CopyId, ExactTime, ForeignText, MinuteTime, useSecondText } from "../components/text.tsx";
import { type Look, Toned } from "../components/toned.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./unknown.module.css";

/** Hex digits of a hash worth showing; the whole stands in the tooltip and in the copy. */
const HASH_SHOWN = 12;

/** 証拠 / 値 / いつ・どこ / 何を示すか: one row each, whether it was found or not (screens, 結果不明). */
export function EvidenceMatrix({ detail, busy }: { readonly detail: UnknownDetail; readonly busy: boolean }) {
  const { t } = useTranslation();
  const { unknown } = useStores();
  const secondText = useSecondText();
  const columns = (["evidence", "value", "where", "shows"] as const).map((key) => ({
    key,
    label: t(`unknown.evidence.column.${key}`),
  }));
  return (
    <section className={page.section} aria-labelledby="evidence">
      <div className={page.head}>
        <h2 className={page.heading} id="evidence">
          {t("unknown.evidence.title")}
        </h2>
        <span className={page.quiet}>
          {t("unknown.evidence.readAt", { time: secondText(detail.readAt) })}
        </span>
        <span className={page.spacer} />
        <Button size="small" disabledFocusable={busy} onClick={() => void unknown.read()}>
          {t("unknown.evidence.again")}
        </Button>
      </div>
      <Table caption={t("unknown.evidence.caption")} columns={columns}>
        {detail.evidence.map((row) => (
          <Row key={row.evidence} row={row} />
        ))}
      </Table>
    </section>
  );
}

function Row({ row }: { readonly row: EvidenceRow }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  return (
    <tr data-evidence={row.evidence} data-reading={row.reading} data-shows={row.shows}>
      <th scope="row" className={cell.name}>
        {t(`unknown.evidence.name.${row.evidence}`)}
      </th>
      <td>
        <ReadingMark reading={row.reading} />
        {row.values.length > 0 && (
          <dl className={styles.values}>
            {row.values.map((value) => (
              <div key={`${value.name} ${value.value}`}>
                <dt>{t(`unknown.evidence.value.${value.name}`)}</dt>
                <dd>
                  <Value value={value} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </td>
      <td>
        <span>{t(`unknown.evidence.place.${row.place}`)}</span>
        {row.host !== null && (
          <span className={styles.under}>
            <ForeignText text={row.host} />
          </span>
        )}
        <span className={styles.under}>{secondText(row.readAt)}</span>
      </td>
      <td>{t(`unknown.evidence.shows.${row.shows}`)}</td>
    </tr>
  );
}

const LOOKS: Readonly<Record<EvidenceRow["reading"], Look>> = {
  present: { tone: "live", shape: <circle cx="8" cy="8" r="5.5" fill="currentColor" /> },
  absent: { tone: "waiting", shape: <circle cx="8" cy="8" r="5.5" strokeDasharray="2.6 2.3" /> },
  unreadable: { tone: "blocked", shape: <path d="M8 2.5l6 11H2zM8 6.6v3.2M8 11.6v.1" /> },
};

/** Present, absent or unreadable: a shape, a word and a colour. */
function ReadingMark({ reading }: Pick<EvidenceRow, "reading">) {
  const { t } = useTranslation();
  return <Toned look={LOOKS[reading]}>{t(`unknown.evidence.reading.${reading}`)}</Toned>;
}

function Value({ value: { name, value, kind } }: { readonly value: EvidenceRow["values"][number] }) {
  const { t } = useTranslation();
  switch (kind) {
    case "minute":
      return (
        <>
          <MinuteTime at={value} />
          <MinuteMark />
        </>
      );
    case "exact":
      return <ExactTime at={value} />;
    case "id": {
      const short = name === "sha256" ? { short: `${value.slice(0, HASH_SHOWN)}…` } : {};
      return <CopyId id={value} what={t(`unknown.evidence.value.${name}`)} {...short} />;
    }
    case "text":
      return value === "" ? <Absent /> : <ForeignText text={value} />;
  }
}
