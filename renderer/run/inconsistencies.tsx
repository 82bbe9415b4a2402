import { useTranslation } from "react-i18next";
import type { RunDetail } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { ForeignText } from "../components/text.tsx";
import styles from "./run.module.css";

/** What contradicts itself in the records (orchestration §6.2); shown, never repaired from here. */
export function Inconsistencies({ found }: { readonly found: RunDetail["inconsistencies"] }) {
  const { t } = useTranslation();
  return (
    <section className={styles.warn} aria-labelledby="inconsistencies">
      <h2 className={page.heading} id="inconsistencies">
        {t("run.inconsistencies.title")}
      </h2>
      <p>{t("run.inconsistencies.lead")}</p>
      <ul>
        {found.map((each) => (
          <li key={`${each.code} ${each.nodeId} ${each.detail}`}>
            {each.nodeId !== null && (
              <>
                <ForeignText text={each.nodeId} id />
                {": "}
              </>
            )}
            <code>{each.code}</code> <ForeignText text={each.detail} />
          </li>
        ))}
      </ul>
    </section>
  );
}
