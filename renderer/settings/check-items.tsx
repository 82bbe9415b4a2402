import { Spinner } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { APP_SLOTS, CHECK_GROUPS, type CheckItem } from "../../shared/api/index.ts";
import ja from "../../shared/text/ja.json";
import page from "../components/page.module.css";
import { cell, Table } from "../components/table.tsx";
import { ForeignText } from "../components/text.tsx";
import looks from "./check.module.css";
import styles from "./settings.module.css";

const GLYPHS = { confirmed: "✓", person: "!", unreadable: "?" } as const;

type Outcome = keyof typeof ja.settings.check.outcome;
type Next = keyof typeof ja.settings.check.next;
const isOutcome = (code: string): code is Outcome => Object.hasOwn(ja.settings.check.outcome, code);
const hasNext = (code: string): code is Next => Object.hasOwn(ja.settings.check.next, code);

/** The items by what they are about, each with its result, what was found, where, and what to do. */
export function CheckItems({ items }: { readonly items: readonly CheckItem[] }) {
  const { t } = useTranslation();
  return (
    <>
      {CHECK_GROUPS.map((group) => {
        const own = items.filter((item) => item.group === group);
        if (own.length === 0) return null;
        return (
          <section key={group} className={page.section} aria-label={t(`settings.check.group.${group}`)}>
            <h2 className={page.heading}>{t(`settings.check.group.${group}`)}</h2>
            <Table
              caption={`${t("settings.check.caption")}: ${t(`settings.check.group.${group}`)}`}
              columns={[
                { key: "item", label: t("settings.check.item") },
                { key: "result", label: t("settings.check.result") },
                { key: "found", label: t("settings.check.learnt") },
              ]}
            >
              {own.map((item) => (
                <ItemRow key={item.id} item={item} />
              ))}
            </Table>
          </section>
        );
      })}
    </>
  );
}

function ItemRow({ item }: { readonly item: CheckItem }) {
  const { t } = useTranslation();
  const { result, subject, of, blocks, code, facts, place } = item;
  const slot = APP_SLOTS.find((each) => each === of);
  const about = slot === undefined ? of : t(`settings.slot.${slot}`);
  return (
    <tr data-check={item.id} data-result={result ?? "running"}>
      <th scope="row" className={styles.rowHead}>
        {t(`settings.check.subject.${subject}`)}
        {about !== null && (
          <span className={cell.sub}>
            <ForeignText text={about} />
          </span>
        )}
      </th>
      <td className={looks.resultCell}>
        {result === null ? (
          <Spinner size="extra-tiny" label={t("settings.check.running")} labelPosition="after" />
        ) : (
          <span className={looks.result} data-result={result} data-blocks={blocks}>
            <span aria-hidden="true">{GLYPHS[result]}</span>
            {t(`settings.check.results.${result}`)}
          </span>
        )}
        {blocks && <span className={looks.blocks}>{t("settings.check.blocks")}</span>}
      </td>
      <td>
        {code !== null && (
          <>
            <ForeignText
              text={isOutcome(code) ? t(`settings.check.outcome.${code}`, { replace: facts }) : code}
            />
            {hasNext(code) && <p className={looks.next}>{t(`settings.check.next.${code}`)}</p>}
            <Differences item={item} />
            <span className={cell.sub}>
              {code} · <ForeignText text={place} />
            </span>
          </>
        )}
      </td>
    </tr>
  );
}

function Differences({ item: { differences } }: { readonly item: CheckItem }) {
  const { t } = useTranslation();
  if (differences.length === 0) return null;
  return (
    <details className={looks.differences}>
      <summary>{t("settings.check.differences", { count: differences.length })}</summary>
      <Table
        caption={t("settings.check.differences", { count: differences.length })}
        columns={[
          { key: "field", label: t("settings.check.field") },
          { key: "expected", label: t("settings.check.expected") },
          { key: "found", label: t("settings.check.found") },
        ]}
      >
        {differences.map(({ field, kind, expected, found }) => (
          <tr key={`${field} ${kind} ${expected}`}>
            <td className={cell.mono}>
              <ForeignText text={field} />
            </td>
            <td className={`${cell.mono} ${cell.name}`}>{expected}</td>
            <td className={cell.mono}>
              <ForeignText text={found === "" ? t("text.none") : found} />
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
