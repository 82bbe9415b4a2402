import {
  APP_ROLES,
  type AppRole,
  appTemplate,
  ORCHESTRATOR_TOKEN as ORCHESTRATOR,
  ORCHESTRATOR_RIGHTS,
  type RelatedApps,
  RUNNER_TOKEN as RUNNER,
  RUNNER_LOG_RIGHTS,
} from "../../shared/records/index.ts";
import type { Provisioner, TokenRight } from "../local-kintone/index.ts";
import { fieldInputs } from "./provision-fields.ts";
import { SAMPLE_APPS, type SampleApp } from "./sample-records.ts";

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

/**
 * Nobody logs in to the kintone of this machine to ask for something: its console adds requests too. Elsewhere people
 * do, and the token of wire-format section 1 stays enough.
 */
const REQUEST_RIGHTS: readonly TokenRight[] = [...ORCHESTRATOR_RIGHTS.request, "add"];

const codeOf = (role: AppRole): string => `FLOWNET_${role.toUpperCase()}`;

/**
 * Makes the four apps of the wire format, completing those that lack a newer field, the sample business apps, and one token for each user of each,
 * with the rights of wire-format section 1, and no more but to add requests. Idempotent: what is there is found.
 */
export async function provisionApps(
  provisioner: Provisioner,
  samples: readonly SampleApp[] = SAMPLE_APPS,
): Promise<ProvisionedApps> {
  const ids = await createApps(provisioner, samples);
  const wanted = [
    ...APP_ROLES.map((role) => ({
      appId: ids.get(codeOf(role)) ?? "",
      label: ORCHESTRATOR,
      rights: role === "request" ? [...REQUEST_RIGHTS] : [...ORCHESTRATOR_RIGHTS[role]],
    })),
    { appId: ids.get(codeOf("jobLog")) ?? "", label: RUNNER, rights: [...RUNNER_LOG_RIGHTS] },
    ...samples.map((app) => ({
      appId: ids.get(app.code) ?? "",
      label: RUNNER,
      rights: [...BUSINESS_RIGHTS],
    })),
  ];
  const tokens = await provisioner.createTokens(wanted);
  const made = wanted.map(({ appId }, index) => ({ appId: Number(appId), token: tokens[index] ?? "" }));
  const [state, audit, request, jobLog, runnerLog, ...business] = made;
  if (!state || !audit || !request || !jobLog || !runnerLog) throw new Error("a token was not answered");
  return { flow: { state, audit, request, jobLog }, runnerLog, business: named(samples, business) };
}

function named(
  samples: readonly SampleApp[],
  business: readonly ProvisionedApp[],
): readonly ProvisionedBusinessApp[] {
  return samples.flatMap((app, index) => {
    const made = business[index];
    const names = { logicalName: app.logicalName, tokenVariable: `FLOWNET_TOKEN_${app.code}` };
    return made === undefined ? [] : [{ ...made, ...names }];
  });
}

/** One of the four as the set-up of the local kintone takes it. */
function flowApp(
  role: AppRole,
  related: RelatedApps | null,
): Parameters<Provisioner["createApps"]>[0][number] {
  const { name, fields, layout, views, appRights, fieldRights } = appTemplate(role, related);
  return {
    name,
    code: codeOf(role),
    fields: fieldInputs(fields),
    furnishing: {
      layout: layout.map((row) => ({ ...row, fields: [...row.fields] })),
      views: Object.fromEntries(
        Object.values(views).map((view) => [view.name, { ...view, fields: [...view.fields] }]),
      ),
      appRights: [...appRights],
      fieldRights: fieldRights.map((right) => ({ ...right, entities: [...right.entities] })),
    },
  };
}

/** App ids by code. The state app shows rows of its neighbours, so it comes after them. */
async function createApps(
  provisioner: Provisioner,
  samples: readonly SampleApp[],
): Promise<ReadonlyMap<string, string>> {
  const business = samples.map((app) => ({
    name: app.title,
    code: app.code,
    fields: fieldInputs(app.form),
  }));
  const neighbours = (["audit", "request", "jobLog"] as const).map((role) => flowApp(role, null));
  const first = await provisioner.createApps([...neighbours, ...business]);
  const related = {
    audit: first.get(codeOf("audit")) ?? "",
    request: first.get(codeOf("request")) ?? "",
    jobLog: first.get(codeOf("jobLog")) ?? "",
  };
  const last = await provisioner.createApps([flowApp("state", related)]);
  return new Map([...first, ...last]);
}
