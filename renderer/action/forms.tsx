import type { ComponentType } from "react";
import type { IntentKind } from "../../shared/api/index.ts";
import { JobUnlockForm } from "../locks/job-unlock-form.tsx";
import { RequestFields } from "../requests/request-fields.tsx";
import { ResolveFields } from "../unknown/resolve-fields.tsx";
import { AuditFields } from "./audit-fields.tsx";
import { EvidenceForm } from "./evidence-form.tsx";
import { RealignFields } from "./realign-fields.tsx";
import { ReasonField } from "./reason-field.tsx";
import { RerunFields } from "./rerun-fields.tsx";

/**
 * The fields of each kind of action. They read the draft from the action store and change it with `action.edit`;
 * everything around them, from the title to the outcome, is the same for all. What is not named here asks for a reason.
 */
const FORMS: Readonly<Partial<Record<IntentKind, ComponentType>>> = {
  completeAudit: AuditFields,
  resolve: ResolveFields,
  realign: RealignFields,
  rerun: RerunFields,
  jobUnlock: JobUnlockForm,
  request: RequestFields,
  requestSettle: EvidenceForm,
};

export function FormFields({ kind }: { readonly kind: IntentKind }) {
  const Fields = FORMS[kind] ?? ReasonField;
  return <Fields />;
}
