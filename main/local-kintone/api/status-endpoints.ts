import { requireRecord } from "../access/enforce.ts";
import { createIssues, invalid } from "../errors.ts";
import type { AppState, Person, RecordState, StoredRecord } from "../model.ts";
import { actorsOf, type Move, nextState, processRefusals } from "../settings/process.ts";
import { recordNotFound, TEXT, unknownPerson } from "../texts.ts";
import { minuteText } from "../values/moment.ts";
import { checkRevision } from "./find-record.ts";
import { expectedRevision, isObject, optionalList, positiveInteger, requiredText } from "./params.ts";
import type { Result } from "./record-endpoints.ts";
import { type Call, callApp, type Services } from "./services.ts";

const MAX_ROWS = 100;
/** An action advances the revision twice, an assignment once (kintone-rest §7). */
const ACTION_STEPS = 2;

function processApp(services: Services, call: Call): AppState {
  const app = callApp(services, call);
  call.actor.require(app, "edit");
  if (app.process === null) throw processRefusals.off();
  return app;
}

function openRecord(
  services: Services,
  call: Call,
  app: AppState,
  entry: Readonly<Record<string, unknown>>,
  prefix: string,
): StoredRecord {
  const id = positiveInteger(entry.id, `${prefix}id`);
  const record = services.records.find(app, id);
  if (record === null) throw recordNotFound(id);
  requireRecord(services, call, app, record, "editable");
  checkRevision(record, expectedRevision(entry.revision, `${prefix}revision`));
  return record;
}

function store(
  services: Services,
  call: Call,
  app: AppState,
  before: StoredRecord,
  change: { readonly state: RecordState; readonly steps: number },
): StoredRecord {
  const after: StoredRecord = {
    ...before,
    revision: before.revision + change.steps,
    updatedAt: minuteText(services.clock.now()),
    modifier: call.actor.person,
    state: change.state,
  };
  const issues = createIssues();
  services.records.update(app, before, after, "record", issues);
  issues.throwIfAny();
  return after;
}

function personOf(services: Services, code: string): Person {
  const name = services.people.nameOf("USER", code);
  if (name === null) throw unknownPerson("USER", code);
  return { code, name };
}

function act(
  services: Services,
  call: Call,
  app: AppState,
  entry: Readonly<Record<string, unknown>>,
  prefix: string,
): StoredRecord {
  const action = requiredText(entry.action, `${prefix}action`);
  const { assignee } = entry;
  const record = openRecord(services, call, app, entry, prefix);
  const move: Move = {
    action,
    assignee: assignee === undefined || assignee === null || assignee === "" ? null : String(assignee),
    assigneeKey: `${prefix}assignee`,
  };
  const state = nextState(services, call, app, record, move);
  return store(services, call, app, record, { state, steps: ACTION_STEPS });
}

/** PUT `record/status.json`: runs an action; the revision advances by two (kintone-rest §6, §7, §16). */
export function putStatus(services: Services, call: Call): Result {
  const app = processApp(services, call);
  return { revision: String(act(services, call, app, call.params, "").revision) };
}

/** PUT `records/status.json`: at most 100 records, all or none (kintone-rest §6, §16). */
export function putStatuses(services: Services, call: Call): Result {
  const app = processApp(services, call);
  const { records } = call.params;
  if (records === undefined || records === null) throw invalid("records", TEXT.parameterRequired);
  if (!Array.isArray(records)) throw invalid("records", TEXT.badShape);
  if (records.length > MAX_ROWS) throw invalid("records", TEXT.updateLimit);
  const written = records.map((entry: unknown, index) => {
    if (!isObject(entry)) throw invalid(`records[${index}]`, TEXT.badShape);
    return act(services, call, app, entry, `records[${index}].`);
  });
  return { records: written.map(({ id, revision }) => ({ id: String(id), revision: String(revision) })) };
}

/** PUT `record/assignees.json`: names who works on a record (kintone-rest §6, §16). */
export function putAssignees(services: Services, call: Call): Result {
  const app = processApp(services, call);
  const list = optionalList(call.params.assignees);
  if (list === null) throw invalid("assignees", TEXT.parameterRequired);
  if (list.length > MAX_ROWS) throw invalid("assignees", TEXT.badShape);
  const record = openRecord(services, call, app, call.params, "");
  const assignees = list.map((code, index) => personOf(services, requiredText(code, `assignees[${index}]`)));
  const status = record.state?.status ?? app.process?.initial ?? "";
  if (!actorsOf(record).allows(call.actor.person.code)) throw processRefusals.notAssignee();
  const after = store(services, call, app, record, { state: { status, assignees }, steps: 1 });
  return { revision: String(after.revision) };
}
