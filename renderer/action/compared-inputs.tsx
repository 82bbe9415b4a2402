import { useTranslation } from "react-i18next";
import type { ComparedInput } from "../../shared/domain/operations/operation.ts";
import page from "../components/page.module.css";
import { ForeignText } from "../components/text.tsx";
import styles from "./action.module.css";

/** The files the nodes read, as they are beside what was read before. */
export function ComparedInputs({ inputs }: { readonly inputs: readonly ComparedInput[] }) {
  const { t } = useTranslation();
  const bad = inputs.filter(({ state }) => state !== "same").length;
  return (
    <details className={styles.fold} open={bad > 0}>
      <summary>{t("action.inputs.title", { count: inputs.length })}</summary>
      <ul className={styles.nodes}>
        {inputs.map(({ nodeId, name, state, detail }) => (
          <li key={`${nodeId} ${name}`} data-input={state}>
            <span className={styles.nodeName}>
              <ForeignText text={name} id />
            </span>
            <span>{t(`action.inputs.${state}`)}</span>
            <span className={page.quiet}>
              <ForeignText text={nodeId} id />
              {detail !== null && (
                <>
                  {": "}
                  <ForeignText text={detail} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
