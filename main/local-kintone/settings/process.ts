import { isEntity, namedIn } from "../access/entities.ts";
import { unbound } from "../api/auth.ts";
import type { Call, Services } from "../api/services.ts";
import { invalid, KintoneError } from "../errors.ts";
import type { AppState, Person, RecordState, StoredRecord } from "../model.ts";
import { recordKey } from "../storage/render.ts";
import { TEXT, unknownPerson } from "../texts.ts";
import type { Process } from "./settings-model.ts";

/** Refusals of process management; the statuses are chosen here, §16 tells the codes only. */
export const processRefusals = {
  off: (): KintoneError =>
    new KintoneError(400, "GAIA_ST02", {
      ja: "操作に失敗しました。プロセス管理機能が無効化されています。",
      en: "Failed to operate. The process management feature is disabled.",
    }),
  wrongState: (): KintoneError =>
    new KintoneError(400, "GAIA_IL03", {
      ja: "ステータスの変更に失敗しました。ほかのユーザーがステータス、またはステータスの設定を変更した可能性があります。",
      en: "Failed to change the status. Someone may have changed the status or the status settings.",
    }),
  notAssignee: (): KintoneError =>
    new KintoneError(403, "GAIA_NT01", {
      ja: "ステータスの変更に失敗しました。作業者ではありません。",
      en: "Failed to change the status. You are not the assignee.",
    }),
} as const;

type Actions = NonNullable<Process["actions"]>;
type Action = Actions[number];
type State = NonNullable<Process["states"]>[string];

/** What a call asks for. */
export interface Move {
  readonly action: string;
  /** Login name of the next assignee. */
  readonly assignee: string | null;
  /** How errors name that parameter. */
  readonly assigneeKey: string;
}

/** Who may act on a record: its assignees, or everyone while nobody is named. */
export function actorsOf(record: StoredRecord): { allows(code: string): boolean } {
  const assignees = record.state?.assignees ?? [];
  return {
    allows: (code) => assignees.length === 0 || assignees.some((person) => person.code === code),
  };
}

function meets(
  services: Services,
  call: Call,
  app: AppState,
  record: StoredRecord,
  condition: string,
): boolean {
  if (condition === "") return true;
  const { source, params } = services.compile(app, condition, unbound(call.actor));
  const row = services.database
    .sql(`SELECT 1 FROM (${source}) WHERE key = ?`)
    .get(...params, recordKey(app.id, record.id));
  return row !== undefined;
}

/** A secondary action belongs to those it names, whoever the assignee is. */
function mayExecute(call: Call, app: AppState, record: StoredRecord, action: Action): boolean {
  if (action.type === "PRIMARY") return actorsOf(record).allows(call.actor.person.code);
  const { account } = call.actor;
  const entities = action.executableUser?.entities ?? [];
  const context = { appCreator: app.creator.code, record };
  return account === null || entities.some((candidate) => isEntity(account, candidate, context));
}

/** The action of this name that starts where the record stands; throws `GAIA_IL03`, `GAIA_NT01` (kintone-rest §16). */
function findAction(
  services: Services,
  call: Call,
  app: AppState,
  record: StoredRecord,
  name: string,
): Action {
  const status = record.state?.status ?? app.process?.initial ?? "";
  const actions = (app.settings.process.actions ?? []).filter(
    (action) => action.name === name && action.from === status,
  );
  const action = actions.find(({ filterCond }) => meets(services, call, app, record, filterCond));
  if (action === undefined) throw processRefusals.wrongState();
  if (!mayExecute(call, app, record, action)) throw processRefusals.notAssignee();
  return action;
}

function codesOf(services: Services, record: StoredRecord, state: State): readonly string[] {
  return state.assignee.entities.flatMap(({ entity }) => {
    const code = entity.code ?? "";
    switch (entity.type) {
      case "USER":
        return [code];
      case "CREATOR":
        return [record.creator.code];
      case "GROUP":
      case "ORGANIZATION":
        return services.credentials.membersOf(entity.type, code);
      default:
        return namedIn(record, code);
    }
  });
}

function assigneesOf(services: Services, record: StoredRecord, state: State, move: Move): readonly Person[] {
  const named = (code: string): Person => {
    const name = services.people.nameOf("USER", code);
    if (name === null) throw unknownPerson("USER", code);
    return { code, name };
  };
  const candidates = [...new Set(codesOf(services, record, state))];
  if (state.assignee.type !== "ONE") return candidates.map(named);
  if (move.assignee !== null) return [named(move.assignee)];
  // With a choice of several, one has to be chosen.
  if (candidates.length > 1) throw invalid(move.assigneeKey, TEXT.parameterRequired);
  return candidates.map(named);
}

/** Where an action takes a record (kintone-rest §16). With `ALL`, every assignee has to act before it moves. */
export function nextState(
  services: Services,
  call: Call,
  app: AppState,
  record: StoredRecord,
  move: Move,
): RecordState {
  const action = findAction(services, call, app, record, move.action);
  const { states } = app.settings.process;
  const here = states?.[action.from];
  const rest = (record.state?.assignees ?? []).filter(({ code }) => code !== call.actor.person.code);
  if (here?.assignee.type === "ALL" && action.type === "PRIMARY" && rest.length > 0) {
    return { status: action.from, assignees: rest };
  }
  const target = states?.[action.to];
  if (target === undefined) throw processRefusals.wrongState();
  return { status: target.name, assignees: assigneesOf(services, record, target, move) };
}
