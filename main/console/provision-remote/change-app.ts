import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { type AppDifference, type AppTemplate, compareApp } from "../../../shared/records/index.ts";
import { type ReadApp, readApp } from "./read-app.ts";
import { bodyOf, type Parameters, type SettingsClient } from "./settings-client.ts";

const revisionSchema = z.looseObject({ revision: z.string() });
const TRIES = 3;

/** One write to the preview environment, and how to see in it that it was done. */
interface Step {
  readonly method: "POST" | "PUT";
  readonly name: string;
  readonly body: Parameters;
  isDone(found: ReadApp): boolean;
}

/**
 * Brings the preview of an app to its template and answers the revision to deploy. Every write names the revision it is for, so a repeated one cannot be done twice; an answer that is lost
 * is read back first. Rejects with `KINTONE_REFUSED`, `KINTONE_UNREACHABLE`, `APP_CHANGED_MEANWHILE`,
 * `APP_HAS_UNDEPLOYED_CHANGES`.
 */
export async function changeApp(
  client: SettingsClient,
  template: AppTemplate,
  target: { readonly id: string; readonly fresh: boolean },
): Promise<string> {
  const found = await readApp(client, target.id, "preview");
  if (!target.fresh) await refuseOthersChanges(client, target.id, found);
  let revision = found.revision;
  for (const step of stepsFor(template, found, target.fresh)) {
    revision = await write(client, target.id, step, revision);
  }
  return revision;
}

/** A deploy would make live what somebody else has not finished. */
async function refuseOthersChanges(client: SettingsClient, app: string, preview: ReadApp): Promise<void> {
  const { revision: _preview, ...waiting } = preview;
  const { revision: _live, ...live } = await readApp(client, app, "live");
  if (isDeepStrictEqual(waiting, live)) return;
  throw new FlowError({
    code: "APP_HAS_UNDEPLOYED_CHANGES",
    message: `App ${app} has changed settings that are not live yet; they were left alone.`,
    place: `app ${app}`,
    remedy: "Update the app in kintone, or discard those changes there; then run the command again.",
  });
}

async function write(client: SettingsClient, app: string, step: Step, revision: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await client.send(step.method, step.name, { app, revision, ...step.body });
    if (reply.kind === "ok") return revisionSchema.parse(reply.body).revision;
    const conflict = reply.kind === "refused" && reply.code === "GAIA_CO03" && attempt > 1;
    if (reply.kind === "refused" && !conflict) bodyOf(reply, `write ${step.name} of app ${app}`);
    const found = await readApp(client, app, "preview");
    if (found.revision !== revision) {
      if (step.isDone(found)) return found.revision;
      throw changedMeanwhile(app);
    }
    if (attempt === TRIES) bodyOf(reply, `write ${step.name} of app ${app}`);
  }
}

const changedMeanwhile = (app: string): FlowError =>
  new FlowError({
    code: "APP_CHANGED_MEANWHILE",
    message: `Somebody else changes the settings of app ${app}; nothing more was written to it.`,
    place: `app ${app}`,
    remedy: "Agree with them, then run the command again.",
  });

/** What has to be written, in the order kintone needs it: a view or a right may name a new field. */
function stepsFor(template: AppTemplate, found: ReadApp, fresh: boolean): readonly Step[] {
  const differences = compareApp(template, found).filter(({ applicable }) => applicable);
  const of = (part: AppDifference["part"]): readonly AppDifference[] =>
    differences.filter((difference) => difference.part === part);
  const missing = of("field").filter(({ kind }) => kind === "missing");
  const changed = of("field").filter(({ kind }) => kind !== "missing");
  const without = (part: AppDifference["part"], kinds: (kind: string) => boolean) => (now: ReadApp) =>
    !compareApp(template, now).some((left) => left.part === part && left.applicable && kinds(left.kind));
  const steps: Step[] = [];
  const add = (needed: boolean, step: () => Step): void => {
    if (needed) steps.push(step());
  };
  add(missing.length > 0, () => ({
    method: "POST",
    name: "preview/app/form/fields.json",
    body: { properties: Object.fromEntries(missing.map(({ name }) => [name, template.fields[name]])) },
    isDone: without("field", (kind) => kind === "missing"),
  }));
  add(changed.length > 0, () => ({
    method: "PUT",
    name: "preview/app/form/fields.json",
    body: { properties: fieldChanges(template, found, changed) },
    isDone: without("field", (kind) => kind !== "missing"),
  }));
  add(fresh && missing.length > 0, () => ({
    method: "PUT",
    name: "preview/app/form/layout.json",
    body: { layout: template.layout },
    // Places are a matter of taste: a layout that was lost shows every field all the same.
    isDone: () => true,
  }));
  add(of("view").length > 0, () => ({
    method: "PUT",
    name: "preview/app/views.json",
    body: { views: views(template, found) },
    isDone: without("view", () => true),
  }));
  add(of("app rights").length > 0, () => ({
    method: "PUT",
    name: "preview/app/acl.json",
    body: { rights: template.appRights },
    isDone: without("app rights", () => true),
  }));
  add(of("field rights").length > 0, () => ({
    method: "PUT",
    name: "preview/field/acl.json",
    body: { rights: fieldRights(template, found) },
    isDone: without("field rights", () => true),
  }));
  return steps;
}

const EMPTY: Readonly<Record<string, unknown>> = {
  required: false,
  unique: false,
  defaultNowValue: false,
};

/** Only the keys that differ; options are replaced as a whole, so those that are there come along. */
function fieldChanges(
  template: AppTemplate,
  found: ReadApp,
  changed: readonly AppDifference[],
): Record<string, Record<string, unknown>> {
  const changes: Record<string, Record<string, unknown>> = {};
  for (const { name, kind } of changed) {
    const field: Readonly<Record<string, unknown>> = { ...template.fields[name] };
    changes[name] ??= { type: field.type };
    const change = changes[name];
    if (kind === "option") change.options = options(field.options, found.properties[name]?.options);
    else change[kind] = field[kind] ?? EMPTY[kind] ?? "";
  }
  return changes;
}

function options(wanted: unknown, found: unknown): Record<string, unknown> {
  const there: Readonly<Record<string, unknown>> =
    typeof found === "object" && found !== null ? { ...found } : {};
  const missing = Object.entries(typeof wanted === "object" && wanted !== null ? wanted : {}).filter(
    ([label]) => there[label] === undefined,
  );
  const next = Object.keys(there).length;
  const added = missing.map(([label], index) => [label, { label, index: String(next + index) }]);
  return { ...there, ...Object.fromEntries(added) };
}

/** A PUT replaces all lists: those of the site stay, behind ours. */
function views(template: AppTemplate, found: ReadApp): Record<string, unknown> {
  const ours = Object.values(template.views);
  const others = Object.entries(found.views).filter(([name]) => template.views[name] === undefined);
  return {
    ...Object.fromEntries(ours.map((view) => [view.name, view])),
    ...Object.fromEntries(
      others.map(([name, view], index) => [name, { ...view, index: String(ours.length + index) }]),
    ),
  };
}

function fieldRights(template: AppTemplate, found: ReadApp): readonly unknown[] {
  const ours = new Set(template.fieldRights.map(({ code }) => code));
  return [...template.fieldRights, ...found.fieldRights.filter(({ code }) => !ours.has(String(code)))];
}
