import { FlowError } from "../../../shared/domain/problem.ts";
import {
  type AppDifference,
  type AppRole,
  type AppTemplate,
  appTemplate,
  compareApp,
  type RelatedApps,
  TEMPLATE_ORDER,
} from "../../../shared/records/index.ts";
import { changeApp } from "./change-app.ts";
import { createApp } from "./create-app.ts";
import { type DeployTiming, deployApps } from "./deploy.ts";
import { type Domain, type KnownApp, readDomain } from "./find-apps.ts";
import { liveRevision, readApp } from "./read-app.ts";
import type { ProvisionReport } from "./report.ts";
import type { SettingsClient } from "./settings-client.ts";

export { environmentText, type ProvisionReport, provisionReportSchema, reportText } from "./report.ts";
export { createSettingsClient, type SettingsClient, type SetUpAuth } from "./settings-client.ts";

export interface ProvisionOptions {
  readonly client: SettingsClient;
  readonly guestSpaceId: number | null;
  /** Ids of apps that are there; the others are found by the template's name. */
  readonly ids: Readonly<Partial<Record<AppRole, string>>>;
  readonly dryRun: boolean;
  /** Changes existing apps that differ; without it their differences are only told. */
  readonly applyDifferences: boolean;
  readonly timing: DeployTiming;
}

type AppReport = ProvisionReport["apps"][number];

/**
 * Makes the four apps on a kintone, or compares those that are there (wire-format §1). Safe to be repeated after any
 * interruption: apps are found by name, writes are guarded by revisions. Rejects with `KINTONE_REFUSED`,
 * `KINTONE_UNREACHABLE`, `APP_AMBIGUOUS`, `APP_CREATION_UNKNOWN`, `APP_IDS_MISSING`, `APP_…`, `DEPLOY_…`.
 */
export async function provisionRemote(options: ProvisionOptions): Promise<ProvisionReport> {
  const { client, guestSpaceId, dryRun } = options;
  const known = await findKnown(options);
  const reports = new Map<AppRole, AppReport>();
  const idOf = (role: AppRole): string => reports.get(role)?.appId ?? "";
  // The neighbours are live before the state app names them in its reference tables (wire-format §1.1).
  const neighbours = TEMPLATE_ORDER.filter((role) => role !== "state");
  await handle(neighbours.map((role) => ({ template: appTemplate(role, null), app: known[role] ?? null })));
  const related: RelatedApps = { audit: idOf("audit"), request: idOf("request"), jobLog: idOf("jobLog") };
  const complete = Object.values(related).every((id) => id !== "");
  await handle([{ template: appTemplate("state", complete ? related : null), app: known.state ?? null }]);

  async function handle(list: readonly Wanted[]): Promise<void> {
    const deploys: { app: string; revision: string }[] = [];
    for (const wanted of list) {
      const { report, deploy } = await bring(options, wanted);
      reports.set(wanted.template.role, report);
      if (deploy !== null) deploys.push(deploy);
    }
    await deployApps(client, deploys, options.timing);
  }

  const apps = TEMPLATE_ORDER.flatMap((role) => reports.get(role) ?? []);
  return {
    kind: "FLOWNET_PROVISION",
    formatVersion: 1,
    baseUrl: client.baseUrl,
    guestSpaceId,
    dryRun,
    apps,
    complete: apps.every(({ action }) => ["created", "changed", "unchanged"].includes(action)),
  };
}

interface Wanted {
  readonly template: AppTemplate;
  readonly app: KnownApp | null;
}

interface Brought {
  readonly report: AppReport;
  readonly deploy: { readonly app: string; readonly revision: string } | null;
}

/** One app: compared, and where allowed made or changed in its preview. */
async function bring(options: ProvisionOptions, { template, app }: Wanted): Promise<Brought> {
  const { client, dryRun } = options;
  const { role, name } = template;
  if (app === null || !app.live) {
    const head = { role, name, differences: [] };
    if (dryRun) return { report: { ...head, appId: app?.id ?? null, action: "would create" }, deploy: null };
    const id = app?.id ?? (await createApp(client, name, options.guestSpaceId));
    const revision = await changeApp(client, template, { id, fresh: true });
    return { report: { ...head, appId: id, action: "created" }, deploy: { app: id, revision } };
  }
  const differences: AppDifference[] = [...compareApp(template, await readApp(client, app.id, "live"))];
  const head = { role, name, appId: app.id, differences };
  if (differences.length === 0) return { report: { ...head, action: "unchanged" }, deploy: null };
  const byHand = differences.some(({ applicable }) => !applicable);
  if (dryRun) return { report: { ...head, action: "would change" }, deploy: null };
  if (!options.applyDifferences) return { report: { ...head, action: "differs" }, deploy: null };
  const revision = await changeApp(client, template, { id: app.id, fresh: false });
  return {
    report: { ...head, action: byHand ? "differs" : "changed" },
    deploy: { app: app.id, revision },
  };
}

/** By the ids given, else by name; tokens cannot list apps (kintone-rest §4, "Closed to tokens"). */
async function findKnown(options: ProvisionOptions): Promise<Partial<Record<AppRole, KnownApp>>> {
  const { client, ids } = options;
  const missing = TEMPLATE_ORDER.filter((role) => ids[role] === undefined);
  if (missing.length > 0 && client.auth === "tokens") throw idsMissing(missing);
  const domain: Domain | null = missing.length > 0 ? await readDomain(client) : null;
  const known: Partial<Record<AppRole, KnownApp>> = {};
  for (const role of TEMPLATE_ORDER) {
    const id = ids[role];
    const found =
      id === undefined
        ? (domain?.byName(appTemplate(role, null).name) ?? null)
        : { id, live: (await liveRevision(client, id)) !== null };
    if (found !== null) known[role] = found;
  }
  return known;
}

const idsMissing = (roles: readonly AppRole[]): FlowError =>
  new FlowError({
    code: "APP_IDS_MISSING",
    message: `API tokens can neither list nor make apps; the ids of these are needed: ${roles.join(", ")}.`,
    place: "options",
    remedy: "Give --state-app, --audit-app, --request-app and --job-log-app, or set up with --user.",
  });
