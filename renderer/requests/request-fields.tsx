import { Field, Input, Select } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Intent } from "../../shared/api/index.ts";
import { ReasonField } from "../action/reason-field.tsx";
import face from "../components/face.module.css";
import page from "../components/page.module.css";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";

type RequestIntent = Extract<Intent, { readonly kind: "request" }>;

/** What a request is about: a Run, or for a start the network and how its Run is named. */
export function RequestFields() {
  const { t } = useTranslation();
  const { action } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  if (intent?.kind !== "request") return null;
  return (
    <>
      {intent.type === "START" ? <StartFields intent={intent} /> : <RunFields intent={intent} />}
      <p className={page.lead}>{t("requests.form.byPoller")}</p>
      <ReasonField />
    </>
  );
}

function RunFields({ intent }: { readonly intent: RequestIntent }) {
  const { t } = useTranslation();
  const { action } = useStores();
  return (
    <>
      <Field label={t("requests.form.run")} hint={t("requests.form.runHint")} required>
        <Input
          value={intent.runId}
          input={{ className: face.mono }}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          onChange={(_, { value }) => action.edit({ runId: value.trim() })}
        />
      </Field>
      {intent.type === "RERUN" && (
        <Field label={t("requests.form.node")} hint={t("requests.form.nodeHint")}>
          <Input
            value={intent.rerunFromNode}
            input={{ className: face.mono }}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={(_, { value }) => action.edit({ rerunFromNode: value.trim() })}
          />
        </Field>
      )}
    </>
  );
}

function StartFields({ intent }: { readonly intent: RequestIntent }) {
  const { t } = useTranslation();
  const { action, workspace } = useStores();
  const networks = useStore(workspace.store, (state) => state.networks.value) ?? [];
  return (
    <>
      <Field label={t("requests.form.network")} hint={t("requests.form.networkHint")} required>
        <Select value={intent.networkId} onChange={(_, { value }) => action.edit({ networkId: value })}>
          <option value="">{t("requests.form.choose")}</option>
          {networks.map(({ networkId }) => (
            <option key={networkId} value={networkId}>
              {markedText(networkId, true)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t("requests.form.key")} hint={t("requests.form.keyHint")}>
        <Input
          value={intent.businessKey}
          input={{ className: face.mono }}
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          onChange={(_, { value }) => action.edit({ businessKey: value })}
        />
      </Field>
      <Field label={t("requests.form.scheduledFor")} hint={t("requests.form.scheduledForHint")}>
        <Input
          value={intent.scheduledFor}
          input={{ className: face.mono }}
          autoComplete="off"
          maxLength={100}
          onChange={(_, { value }) => action.edit({ scheduledFor: value.trim() })}
        />
      </Field>
    </>
  );
}
