import { join } from "node:path";
import {
  type ConnectionSettings,
  DEFAULT_SETTINGS,
  type RolesFile,
  type SessionInfo,
  type SettingsFile,
} from "../../../shared/api/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { Clock } from "../../store/index.ts";
import type { LogState } from "../program-log/index.ts";
import { mayChangeRoles, openRolesFile } from "../roles.ts";
import { checkSettings } from "./check/index.ts";
import type { OpenedBy, RolesChange, SettingsChange, SettingsHost } from "./ports.ts";
import { createQueue } from "./queue.ts";
import type { SystemProxy } from "./reach.ts";
import { openRoleSession, type RoleSession } from "./role-session.ts";
import type { SecretStore } from "./secret-store.ts";
import { openSettingsFile } from "./settings-files.ts";
import { secretName, tokenSlots, tokensOf } from "./token-slots.ts";
import type { VersionedContent, VersionedFile } from "./versioned-file.ts";

export interface SettingsHostDeps {
  /** The data folder. */
  readonly root: string;
  readonly secrets: SecretStore;
  readonly systemProxy: SystemProxy;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly host: string;
  /** The account of the operating system this console runs as. */
  readonly account: string;
  readonly opened: OpenedBy;
  /** Where the program's log is. */
  readonly log: () => LogState;
}

interface Rooms extends SettingsHostDeps {
  readonly file: VersionedFile<SettingsFile>;
  readonly roles: VersionedFile<RolesFile>;
  /** By the roles alone; a fallback leaves it as it is, or nobody could repair the connection. */
  readonly role: Pick<RoleSession, "now">;
}

/** Opens the settings of a data folder; the roles decide the mode of this session from here on (decisions §5). */
export async function openSettingsHost(deps: SettingsHostDeps): Promise<SettingsHost> {
  const file = openSettingsFile(deps.root);
  const roles = openRolesFile(deps.root);
  // One change after the other: a token must not slip under an address while that is being replaced.
  const queue = createQueue();
  const watchers = new Set<(change: SettingsChange, found?: RolesChange) => void>();
  const tell = (change: SettingsChange, found?: RolesChange): void => {
    for (const told of watchers) told(change, found);
  };
  const role = await openRoleSession({
    file: roles,
    account: deps.account,
    changed: (found) => tell("roles", found ?? undefined),
  });
  const rooms: Rooms = { ...deps, file, roles, role };
  let current = (await file.read()).value ?? DEFAULT_SETTINGS;
  return {
    display: () => current.view,
    reading() {
      const { budget, schedulesPath, requestPoller } = current;
      return { requestsPerAppAndDay: budget.requestsPerAppAndDay, schedulesPath, requestPoller };
    },
    onChange(told) {
      watchers.add(told);
      return () => void watchers.delete(told);
    },
    view: () => viewOf(rooms),
    session: () => effective(role.current(), deps.opened),
    sessionNow: async () => effective(await role.now(), deps.opened),
    save: (revision, settings) =>
      queue(async () => {
        await saveSettings(rooms, revision, settings);
        current = settings;
        tell("settings");
      }),
    saveRoles: (revision, next, written = async () => undefined) => role.save(revision, next, written),
    setToken: (connectionId, slot, token) =>
      queue(async () => {
        const name = await tokenName(rooms, connectionId, slot);
        await deps.secrets.set(name, token);
      }),
    removeToken: (connectionId, slot) =>
      queue(async () => deps.secrets.remove(await tokenName(rooms, connectionId, slot))),
    check: (connectionId, signal) => check(rooms, connectionId, signal),
  };
}

/** On a workspace that stands in for another nobody may act, whatever the roles say. */
function effective(session: SessionInfo, { source }: OpenedBy): SessionInfo {
  return source === "fallback" ? { ...session, mode: "view", source: "fallback" } : session;
}

async function viewOf(rooms: Rooms) {
  const session = await rooms.role.now();
  const [found, roles, secretStore] = await Promise.all([
    rooms.file.read(),
    rooms.roles.read(),
    rooms.secrets.state(),
  ]);
  const settings = found.value ?? DEFAULT_SETTINGS;
  const tokens = await Promise.all(settings.connections.map((each) => tokensOf(each, rooms.secrets)));
  return {
    revision: found.revision,
    settings,
    readOnly: found.readOnly,
    roles: { revision: roles.revision, file: roles.value, readOnly: roles.readOnly },
    session: effective(session, rooms.opened),
    may: { settings: session.mode !== "view", roles: mayChangeRoles(session, roles.value) },
    secretStore,
    tokens: tokens.flat(),
    opened: rooms.opened,
    dataFolder: rooms.root,
    log: rooms.log(),
    host: rooms.host,
  };
}

async function saveSettings(rooms: Rooms, revision: string, next: SettingsFile): Promise<void> {
  await requireOperator(rooms);
  const now = await rooms.file.read();
  // Refused before any token goes: `save` looks again.
  if (now.revision === revision && now.readOnly === null) await dropOrphans(rooms, now, next);
  await rooms.file.save(revision, next);
}

/**
 * A token belongs to the address it was entered for. A connection that leads elsewhere, or is gone, loses its tokens
 * before the new address counts, so that nothing that can only change settings can have a token sent to a host of its
 * choice.
 */
async function dropOrphans(
  { secrets }: Rooms,
  { value }: VersionedContent<SettingsFile>,
  next: SettingsFile,
): Promise<void> {
  for (const before of value?.connections ?? []) {
    const after = next.connections.find(({ id }) => id === before.id);
    if (after !== undefined && after.baseUrl === before.baseUrl && after.caFile === before.caFile) continue;
    for (const slot of await tokenSlots(before)) await secrets.remove(secretName(before.id, slot));
  }
}

async function tokenName(rooms: Rooms, connectionId: string, slot: string): Promise<string> {
  await requireOperator(rooms);
  const connection = await savedConnection(rooms, connectionId);
  if ((await tokenSlots(connection)).includes(slot)) return secretName(connectionId, slot);
  throw new FlowError({
    code: "TOKEN_SLOT_UNKNOWN",
    message: `The connection uses no token "${slot}".`,
    place: `connections.${connectionId}`,
    remedy: "Save the app's id, or name the variable in the runner's configuration, first.",
  });
}

async function savedConnection({ file }: Rooms, connectionId: string): Promise<ConnectionSettings> {
  const { value } = await file.read();
  const found = value?.connections.find(({ id }) => id === connectionId);
  if (found !== undefined) return found;
  throw new FlowError({
    code: "CONNECTION_UNKNOWN",
    message: "There is no such connection in the saved settings.",
    place: "connections",
    remedy: "Save the connection first.",
  });
}

async function* check(rooms: Rooms, connectionId: string, signal: AbortSignal) {
  await requireOperator(rooms);
  const connection = await savedConnection(rooms, connectionId);
  const { value } = await rooms.file.read();
  const { secrets, systemProxy, env, clock, host } = rooms;
  const schedulesPath = value?.schedulesPath ?? join(rooms.root, "schedules.json");
  const hosts = value?.hosts ?? [];
  yield* checkSettings({ connection, secrets, systemProxy, env, clock, host, hosts, schedulesPath }, signal);
}

async function requireOperator({ role, account }: Rooms): Promise<void> {
  if ((await role.now()).mode === "view") throw new FlowError(notAllowed(account));
}

const notAllowed = (account: string) => ({
  code: "MODE_TOO_LOW",
  message: `The account ${account} may not change the settings.`,
  place: "roles.json",
  remedy: "Ask somebody whose role allows it.",
});
