import {
  APP_NAMES,
  APP_ROLES,
  type AppRole,
  appFields,
  ORCHESTRATOR_RIGHTS,
  type RelatedApps,
  RUNNER_LOG_RIGHTS,
} from "../../shared/records/index.ts";
import type { Provisioner, TokenRight } from "../local-kintone/index.ts";
import { fieldInputs } from "./provision-fields.ts";
import { SAMPLE_APPS } from "./sample-records.ts";

export interface ProvisionedApp {
  readonly appId: number;
  readonly token: string;
}

/** A business app, and the variable that carries the runner's token for it. */
export interface ProvisionedBusinessApp extends ProvisionedApp {
  readonly logicalName: string;
  readonly tokenVariable: string;
}

export interface ProvisionedApps {
  readonly flow: Readonly<Record<AppRole, ProvisionedApp>>;
  /** The JOB log once more, with the rights the runner needs (wire-format section 1). */
  readonly runnerLog: ProvisionedApp;
  readonly business: readonly ProvisionedBusinessApp[];
}

const BUSINESS_RIGHTS: readonly TokenRight[] = ["view", "add", "edit", "delete"];
const ORCHESTRATOR = "FlowNet";
const RUNNER = "kSQL-Flow";

const codeOf = (role: AppRole): string => `FLOWNET_${role.toUpperCase()}`;

/**
 * Makes the four apps of the wire format, the sample business apps, and one token for each user of each,
 * with the rights of wire-format section 1 and no more. Idempotent: what is there is found.
 */
export async function provisionApps(provisioner: Provisioner): Promise<ProvisionedApps> {
  const ids = await createApps(provisioner);
  const wanted = [
    ...APP_ROLES.map((role) => ({
      appId: ids.get(codeOf(role)) ?? "",
      label: ORCHESTRATOR,
      rights: [...ORCHESTRATOR_RIGHTS[role]],
    })),
    { appId: ids.get(codeOf("jobLog")) ?? "", label: RUNNER, rights: [...RUNNER_LOG_RIGHTS] },
    ...SAMPLE_APPS.map((app) => ({
      appId: ids.get(app.code) ?? "",
      label: RUNNER,
      rights: [...BUSINESS_RIGHTS],
    })),
  ];
  const tokens = await provisioner.createTokens(wanted);
  const made = wanted.map(({ appId }, index) => ({ appId: Number(appId), token: tokens[index] ?? "" }));
  const [state, audit, request, jobLog, runnerLog, ...business] = made;
  if (!state || !audit || !request || !jobLog || !runnerLog) throw new Error("a token was not answered");
  return { flow: { state, audit, request, jobLog }, runnerLog, business: named(business) };
}

function named(business: readonly ProvisionedApp[]): readonly ProvisionedBusinessApp[] {
  return SAMPLE_APPS.flatMap((app, index) => {
    const made = business[index];
    const names = { logicalName: app.logicalName, tokenVariable: `FLOWNET_TOKEN_${app.code}` };
    return made === undefined ? [] : [{ ...made, ...names }];
  });
}

/** App ids by code. The state app shows rows of its neighbours, so it comes after them. */
async function createApps(provisioner: Provisioner): Promise<ReadonlyMap<string, string>> {
  const flowApp = (role: AppRole, related: RelatedApps | null) => ({
    name: APP_NAMES[role],
    code: codeOf(role),
    fields: fieldInputs(appFields(role, related)),
  });
  const samples = SAMPLE_APPS.map((app) => ({
    name: app.title,
    code: app.code,
    fields: fieldInputs(app.form),
  }));
  const neighbours = (["audit", "request", "jobLog"] as const).map((role) => flowApp(role, null));
  const first = await provisioner.createApps([...neighbours, ...samples]);
  const related = {
    audit: first.get(codeOf("audit")) ?? "",
    request: first.get(codeOf("request")) ?? "",
    jobLog: first.get(codeOf("jobLog")) ?? "",
  };
  const last = await provisioner.createApps([flowApp("state", related)]);
  return new Map([...first, ...last]);
}
