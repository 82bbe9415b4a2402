import { Input } from "@fluentui/react-components";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { foldForSearch } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import filters from "../components/filters.module.css";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { SaveBundle } from "../components/save-bundle.tsx";
import { useEscape } from "../components/use-escape.ts";
import { useLanguage } from "../state/context.tsx";
import styles from "./guidance.module.css";
import { GUIDANCE_GROUPS, type GuidanceWords, guidanceWords, LISTED_CODES } from "./words.ts";

/** 手引き: what each result code means and asks for, in the program itself: it needs no network (operator-ux §1.2). */
export function GuidancePage({ code }: { readonly code: string | undefined }) {
  return code === undefined ? <GuidanceList /> : <GuidanceOfCode code={code} />;
}

function GuidanceList() {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const id = useId();
  const language = useLanguage();
  const words = LISTED_CODES.map((code) => guidanceWords(code, t, language));
  const wanted = foldForSearch(text.trim());
  const holds = (each: GuidanceWords): boolean =>
    foldForSearch([each.code, each.cause, each.act].join("\n")).includes(wanted);
  const found = wanted === "" ? words : words.filter(holds);
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("guidance.title")}</h1>
        <span className={page.quiet} role="status">
          {t("guidance.count", { count: found.length })}
        </span>
      </div>
      <p className={page.lead}>{t("guidance.lead")}</p>
      <search className={filters.filters} aria-label={t("guidance.label")}>
        <span className={filters.filter}>
          <label htmlFor={id}>{t("guidance.filter")}</label>
          <Input
            id={id}
            size="small"
            type="search"
            maxLength={100}
            placeholder={t("guidance.filterHint")}
            value={text}
            onChange={(_, { value }) => setText(value)}
          />
        </span>
      </search>
      {found.length === 0 && <p className={page.empty}>{t("guidance.nothing")}</p>}
      {GUIDANCE_GROUPS.map((group) => (
        <Group
          key={group}
          name={t(`guidance.group.${group}`)}
          words={found.filter((each) => each.group === group)}
        />
      ))}
      <SaveBundle />
    </div>
  );
}

function Group({ name, words }: { readonly name: string; readonly words: readonly GuidanceWords[] }) {
  if (words.length === 0) return null;
  return (
    <section className={page.section} aria-label={name}>
      <h2 className={page.heading}>{name}</h2>
      <ul className={styles.list}>
        {words.map(({ code, cause }) => (
          <li key={code}>
            <a className={styles.code} href={routeHash({ page: "guidance", code })}>
              {code}
            </a>
            <span>{cause}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function GuidanceOfCode({ code }: { readonly code: string }) {
  const { t } = useTranslation();
  const words = guidanceWords(code, t, useLanguage());
  useEscape(() => goTo({ page: "guidance" }));
  const parts = [
    ["cause", words.cause],
    ["effect", words.effect],
    ["check", words.check],
    ["act", words.act],
    ["never", words.never],
  ] as const;
  return (
    <article className={page.page} data-guidance={words.group}>
      <div>
        <a className={link.crumb} href={routeHash({ page: "guidance" })}>
          {t("guidance.back")}
        </a>
      </div>
      <h1 className={page.title}>
        {words.group === "unknown" ? t("guidance.unknownTitle") : t("guidance.title")}:{" "}
        <span className={styles.mono}>{code}</span>
      </h1>
      <dl className={styles.parts}>
        {parts.map(
          ([name, text]) =>
            text !== null && (
              <div key={name} className={styles.part} data-part={name}>
                <dt>{t(`guidance.${name}`)}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
        {words.proofs.length > 0 && (
          <div className={styles.part} data-part="proofs">
            <dt>{t("guidance.proofs")}</dt>
            <dd>{words.proofs.map((proof) => t(`evidence.${proof}`)).join(t("guidance.separator"))}</dd>
          </div>
        )}
        {words.who !== null && (
          <div className={styles.part} data-part="who">
            <dt>{t("guidance.who")}</dt>
            <dd>{t(`who.${words.who}`)}</dd>
          </div>
        )}
      </dl>
    </article>
  );
}
