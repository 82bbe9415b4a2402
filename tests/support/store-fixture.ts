import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  createKintoneTransport,
  type KintoneTransport,
  type Sleep,
} from "../../main/kintone-client/index.ts";
import { createLocalKintone, type Provision } from "../../main/local-kintone/index.ts";
import { type AppIds, createKintoneStore } from "../../main/store/index.ts";
import type { Clock, FlowStore, Ids } from "../../main/store/ports.ts";
import { APP_NAMES, type AppRole, appFields, ORCHESTRATOR_RIGHTS } from "../../shared/records/index.ts";

/** One request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly subRequests: number;
}

/** A local kintone with the apps of the orchestrator, reachable over HTTP. */
export interface KintoneFixture {
  readonly port: number;
  readonly apps: AppIds;
  readonly requestApp: number;
  readonly tokens: ReadonlyMap<number, readonly string[]>;
  /** For apps of a test's own. */
  readonly provision: Provision;
  /** Every request since the last `clear`, in order. */
  readonly seen: { list(): readonly SeenRequest[]; clear(): void };
  /** A transport to this server, or to a proxy before it. */
  transport(port?: number): KintoneTransport & { dispose(): Promise<void> };
  dispose(): Promise<void>;
}

/** Wall clock and monotonic clock of this process. */
export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** A real wait that an abort cuts short without an error. */
export const realSleep: Sleep = async (ms, signal) => {
  await wait(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
};

const ROLES = ["state", "audit", "jobLog", "request"] as const satisfies readonly AppRole[];

export async function startKintoneFixture(
  options: { readonly guestSpaceId?: number; readonly delayMs?: number; readonly maxPageCount?: number } = {},
): Promise<KintoneFixture> {
  const seen: SeenRequest[] = [];
  const kintone = createLocalKintone({
    databasePath: ":memory:",
    clock: { now: () => Date.now() },
    ids: { random: (bytes) => new Uint8Array(randomBytes(bytes)) },
    onArrival: (arrival) => seen.push(arrival),
    ...(options.delayMs === undefined ? {} : { delayMs: options.delayMs }),
    ...(options.maxPageCount === undefined ? {} : { maxPageCount: options.maxPageCount }),
  });
  const space = options.guestSpaceId === undefined ? {} : { guestSpaceId: options.guestSpaceId };
  const made = ROLES.map((role) => {
    const fields = appFields(role, null);
    const app = kintone.provision.createApp({
      name: APP_NAMES[role],
      code: role.toUpperCase(),
      fields,
      ...space,
    });
    // The log is written by the runner, a request by the people's screen: the tests play both.
    const all = role === "jobLog" || role === "request";
    const rights = all ? (["view", "add", "edit"] as const) : ORCHESTRATOR_RIGHTS[role];
    const token = kintone.provision.createToken(app, [...rights], "orchestrator");
    return { id: Number(app), token };
  });
  const [state, audit, jobLog, request] = made.map(({ id }) => id);
  if (!state || !audit || !jobLog || !request) throw new Error("apps are missing");
  const tokens = new Map(made.map(({ id, token }) => [id, [token]]));
  const { port, close } = await kintone.listen({ port: 0 });
  return {
    port,
    apps: { state, audit, jobLog },
    requestApp: request,
    tokens,
    provision: kintone.provision,
    seen: { list: () => [...seen], clear: () => seen.splice(0, seen.length) },
    transport: (at = port) => createKintoneTransport({ baseUrl: `http://localhost:${at}`, tokens, ...space }),
    async dispose() {
      await close();
      await kintone.dispose();
    },
  };
}

/** A store over its own transport, with the clock of this process. */
export function openStore(
  fixture: KintoneFixture,
  options: {
    readonly port?: number;
    readonly clock?: Clock;
    readonly sleep?: Sleep;
    readonly ids?: Ids;
  } = {},
): FlowStore & { readonly transport: KintoneTransport } {
  const transport = fixture.transport(options.port);
  const store = createKintoneStore({
    transport,
    apps: fixture.apps,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? { uuid: () => randomUUID() },
    sleep: options.sleep ?? realSleep,
  });
  return {
    ...store,
    transport,
    async dispose() {
      await store.dispose();
      await transport.dispose();
    },
  };
}
