import { Field, Select } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { EvidenceForm } from "../action/evidence-form.tsx";
import { useStores } from "../state/context.tsx";
import { inspectionOf } from "../state/job-locks.ts";
import { markedText } from "../text/marks.ts";

const NONE = "";
const optionOf = (runId: string, nodeId: string): string => JSON.stringify([runId, nodeId]);

/** What a release of a job lock asks for: the node it is recorded with, who saw the job end, what shows it, and why. */
export function JobUnlockForm() {
  const { t } = useTranslation();
  const { action, jobLocks } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  const jobKey = intent?.kind === "jobUnlock" ? intent.jobKey : null;
  const runs = useStore(jobLocks.store, (state) => inspectionOf(state, jobKey).value?.runs ?? NO_RUNS);
  if (intent?.kind !== "jobUnlock") return null;
  const { runId, nodeId } = intent;
  const chosen = runId === null || nodeId === null ? NONE : optionOf(runId, nodeId);
  const choose = (value: string): void => {
    const run = runs.find((each) => optionOf(each.runId, each.nodeId) === value);
    action.edit({ runId: run?.runId ?? null, nodeId: run?.nodeId ?? null });
  };
  return (
    <>
      <Field label={t("jobLocks.form.run")} hint={t("jobLocks.form.runHint")}>
        <Select value={chosen} onChange={(_, { value }) => choose(value)}>
          {runs.map((run) => (
            <option
              key={optionOf(run.runId, run.nodeId)}
              value={optionOf(run.runId, run.nodeId)}
            >{`${markedText(run.businessKey, true)} › ${markedText(run.nodeId, true)}`}</option>
          ))}
          <option value={NONE}>{t("jobLocks.form.noRun")}</option>
        </Select>
      </Field>
      <EvidenceForm />
    </>
  );
}

const NO_RUNS: readonly never[] = [];
