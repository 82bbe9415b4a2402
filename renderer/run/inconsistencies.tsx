import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { RunDetail, RunRow } from "../../shared/api/index.ts";
import { realignIntent } from "../action/names.ts";
import page from "../components/page.module.css";
import { ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { findingWords } from "./finding-words.ts";
import styles from "./run.module.css";

/** What contradicts itself in the records (orchestration §6.2); only what somebody edited by hand may be taken up from here. */
export function Inconsistencies({
  run,
  found,
}: {
  readonly run: RunRow;
  readonly found: RunDetail["inconsistencies"];
}) {
  const { t } = useTranslation();
  const edited = new Set(
    found.flatMap(({ code, nodeId }) => (isEdited(code) && nodeId !== null ? [nodeId] : [])),
  );
  return (
    <section className={styles.warn} aria-labelledby="inconsistencies">
      <h2 className={page.heading} id="inconsistencies">
        {t("run.inconsistencies.title")}
      </h2>
      <p>{t("run.inconsistencies.lead")}</p>
      <ul>
        {found.map((each) => (
          <Found key={`${each.code} ${each.nodeId} ${each.detail}`} found={each} />
        ))}
      </ul>
      {run.lifecycle === "ACTIVE" &&
        [...edited].map((nodeId) => <Realign key={nodeId} run={run} nodeId={nodeId} />)}
    </section>
  );
}

/** What it means in words, its code, and what the records say in detail: that part is for whoever repairs it. */
function Found({ found }: { readonly found: RunDetail["inconsistencies"][number] }) {
  const { t } = useTranslation();
  const { code, nodeId, detail } = found;
  return (
    <li>
      {nodeId !== null && (
        <>
          <ForeignText text={nodeId} id />
          {": "}
        </>
      )}
      {findingWords(code, t)} <code>{code}</code>
      <div className={page.quiet}>
        <ForeignText text={detail} />
      </div>
    </li>
  );
}

/** The state's own revision is not kintone's: somebody changed the record outside of the programs. */
const isEdited = (code: string): boolean => code === "REVISION_SERIES_INVERTED";

/** Its plan says whether the record bears out what it says; only then may it be taken up (orchestration §11.1). */
function Realign({ run, nodeId }: { readonly run: RunRow; readonly nodeId: string }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const { runId, businessKey, networkId, profile } = run;
  const verb = t("action.kind.realign.verb");
  return (
    <p>
      <Button
        size="small"
        aria-label={`${verb}: ${markedText(nodeId, true)}`}
        onClick={() =>
          void action.open(realignIntent(runId, nodeId), {
            subject: { runId, businessKey, networkId, profile, nodeId },
          })
        }
      >
        <span>
          {verb}: <ForeignText text={nodeId} id />
        </span>
      </Button>{" "}
      <span className={page.quiet}>{t("run.inconsistencies.realignHint")}</span>
    </p>
  );
}
