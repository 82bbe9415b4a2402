import { FlowError } from "../../../shared/domain/problem.ts";
import { SET_UP_ACTOR } from "../api/auth.ts";
import { mustFind } from "../api/find-record.ts";
import type { Services } from "../api/services.ts";
import { updateRows } from "../api/write-records.ts";
import type { AppState } from "../model.ts";
import type { Switches } from "../switches.ts";
import { normalizeDecimal } from "../values/decimal.ts";
import { indexKey } from "../values/index-keys.ts";
import type { ActionOf, FaultAction } from "./action-schema.ts";
import type { FaultClock } from "./clock.ts";
import type { ServerCore } from "./core.ts";
import { changeSchema } from "./schema-drift.ts";
import type { Snapshots } from "./snapshots.ts";
import type { SubjectPart } from "./subject.ts";

export interface ActionTools {
  readonly core: ServerCore;
  readonly clock: FaultClock;
  readonly snapshots: Snapshots;
}

function refused(place: string, message: string): FlowError {
  return new FlowError({
    code: "FAULT_ACTION_REFUSED",
    message,
    place,
    remedy: "Correct the action; nothing was changed.",
  });
}

/** The live app of an action; throws FlowError `FAULT_ACTION_REFUSED`. */
function liveApp(services: Services, id: string | null): AppState {
  const app = id === null ? null : services.apps.find(Number(id));
  if (app === null) throw refused("app", `The local kintone has no app ${id ?? "(none named)"}.`);
  return app;
}

/** A person's write through the ordinary update, so that revision, times and modifier move as they would (F15). */
function writeRecord(services: Services, action: ActionOf<"write-record">, part: SubjectPart | null): void {
  const app = liveApp(services, action.app ?? part?.app ?? null);
  const matched = part === null ? null : targetOf(services, app, part);
  const id = action.record === "matched" ? matched : Number(action.record);
  if (id === null) throw refused("record", "The request names no stored record, and the action none either.");
  const call = {
    actor: { ...SET_UP_ACTOR, person: action.user },
    guestSpaceId: app.guestSpaceId,
    params: {},
  };
  services.database.write(() => {
    const target = { id, key: null, record: action.fields, hasRecord: true, revision: null };
    const before = mustFind(services, app, target);
    updateRows(services, call, app, [{ record: action.fields, prefix: "record", before }]);
  });
}

/** The record id a call names, by id or by the key it updates by; null when it is not one stored record. */
export function targetOf(services: Services, app: AppState, part: SubjectPart): number | null {
  const [id] = part.ids;
  if (part.ids.length + part.updateKeys.length !== 1) return null;
  if (id !== undefined) return Number(id);
  const [key] = part.updateKeys;
  const field = key === undefined ? undefined : app.fields.get(key.field);
  if (key === undefined || field === undefined || !field.definition.unique) return null;
  const { type } = field.definition;
  const value = type === "NUMBER" ? normalizeDecimal(key.value) : key.value;
  return value === null ? null : services.records.findUnique(field.no, indexKey(type, value));
}

function setSwitches(switches: Switches, action: ActionOf<"switches">): void {
  const { kind: _kind, maintenance, deployOutcome, ...plain } = action;
  for (const [key, value] of Object.entries(plain)) {
    if (!(key in switches)) throw refused(key, `This server has no switch "${key}".`);
    if (value !== undefined) Reflect.set(switches, key, value);
  }
  if (maintenance !== undefined) {
    switches.maintenance =
      typeof maintenance === "string" ? maintenance : new Set(maintenance.apps.map(Number));
  }
  if (deployOutcome !== undefined) {
    switches.deployOutcome = deployOutcome === null ? null : () => deployOutcome;
  }
}

function setToken(services: Services, action: ActionOf<"token">): void {
  const app = liveApp(services, action.app);
  if (action.rights.length > 0) services.credentials.createToken(app.id, action.rights, action.label);
  else if (!services.credentials.revokeToken(app.id, action.label)) {
    throw refused("label", `The app ${app.id} has no token "${action.label}".`);
  }
}

function setPassword(services: Services, { user, password }: ActionOf<"password">): void {
  const account = services.credentials.findAccount(user.code);
  services.credentials.createUser(
    { code: user.code, name: user.name ?? account?.name ?? user.code },
    password,
  );
}

/** Carries out an action; throws FlowError or KintoneError with the reason, and then nothing was changed. */
export function perform(tools: ActionTools, action: FaultAction, part: SubjectPart | null): void {
  const services = tools.core.services();
  switch (action.kind) {
    case "write-record":
      writeRecord(services, action, part);
      break;
    case "clock":
      tools.clock.set(action);
      break;
    case "switches":
      setSwitches(services.switches, action);
      break;
    case "token":
      setToken(services, action);
      break;
    case "password":
      setPassword(services, action);
      break;
    case "schema":
      changeSchema(services, liveApp(services, action.app), action);
      break;
    case "snapshot":
      tools.snapshots.take(action.name);
      break;
    case "restore":
      tools.snapshots.restore(action.name);
      break;
  }
}
