import type { CheckEvent, ConnectionSettings } from "../../../../shared/api/index.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";
import { createKintoneTransport } from "../../../kintone-client/index.ts";
import type { Clock } from "../../../store/index.ts";
import type { Reach } from "../../environment.ts";
import { reachOf, type SystemProxy } from "../reach.ts";
import type { SecretStore } from "../secret-store.ts";
import { secretName, tokenSlots } from "../token-slots.ts";
import { appProbes } from "./app-probes.ts";
import { hostProbes } from "./host-probes.ts";
import { type Probe, wrong } from "./probe.ts";
import { reachProbes } from "./reach-probes.ts";
import { runCheck } from "./run-check.ts";
import { runnerProbes } from "./runner-probes.ts";

export interface CheckDeps {
  readonly connection: ConnectionSettings;
  readonly secrets: SecretStore;
  readonly systemProxy: SystemProxy;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly host: string;
  readonly hosts: readonly string[];
  readonly schedulesPath: string;
}

/** The time limit of one request of the check; shorter than that of work, because somebody waits. Milliseconds. */
const REQUEST_MS = 15_000;

/**
 * Looks at everything a connection rests on and tells it item by item, each with a code and a place; nothing is written
 * to kintone. Ends early when the signal aborts.
 */
export async function* checkSettings(deps: CheckDeps, signal: AbortSignal): AsyncGenerator<CheckEvent> {
  const { connection } = deps;
  const { tokens, missing } = await readTokens(deps);
  const { reach, broken } = await readReach(deps);
  const baseUrl = connection.baseUrl.replace(/\/+$/, "");
  const { guestSpaceId: _, ...line } = reach;
  const transport = createKintoneTransport({
    baseUrl,
    tokens: tokenMap(connection, tokens),
    timeoutMs: REQUEST_MS,
    ...line,
    ...(connection.guestSpaceId !== null && { guestSpaceId: connection.guestSpaceId }),
  });
  const runnerTokens = [...tokens].flatMap(([slot, value]) =>
    slot.startsWith("runner/") ? [[slot.slice(7), value] as const] : [],
  );
  const proxyMode = connection.proxy.mode;
  const about = { baseUrl, reach, caFile: connection.caFile, proxyMode, nowMs: deps.clock.nowMs };
  const reachable = reachProbes(about).map((probe) =>
    probe.id === "tls" ? certificateFirst(probe, broken) : probe,
  );
  try {
    const probes = [
      ...reachable,
      ...appProbes({ connection, tokens, transport }),
      ...runnerProbes({
        connection,
        runnerTokens: Object.fromEntries(runnerTokens),
        missingTokens: missing.flatMap((slot) => (slot.startsWith("runner/") ? [slot.slice(7)] : [])),
        env: deps.env,
        clock: deps.clock,
      }),
      ...(await hostProbes(deps)),
    ];
    yield* runCheck(probes, deps.clock, signal);
  } finally {
    await transport.dispose();
  }
}

async function readTokens({ connection, secrets }: CheckDeps) {
  const tokens = new Map<string, string>();
  const missing: string[] = [];
  for (const slot of await tokenSlots(connection)) {
    const value = await secrets.get(secretName(connection.id, slot));
    if (value === null) missing.push(slot);
    else tokens.set(slot, value);
  }
  return { tokens, missing };
}

/** A certificate file that cannot be used is a finding of its own; the rest is looked at without it. */
async function readReach({
  connection,
  systemProxy,
}: CheckDeps): Promise<{ reach: Reach; broken: FlowError | null }> {
  try {
    return { reach: await reachOf(connection, systemProxy), broken: null };
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return { reach: await reachOf({ ...connection, caFile: null }, systemProxy), broken: error };
  }
}

function certificateFirst(probe: Probe, broken: FlowError | null): Probe {
  if (broken === null) return probe;
  const { code, message, place } = broken.problem;
  return {
    ...probe,
    look: async () => ({ ...wrong(code, { message }), ...(place !== undefined && { place }) }),
  };
}

function tokenMap({ apps }: ConnectionSettings, tokens: ReadonlyMap<string, string>) {
  const map = new Map<number, string[]>();
  for (const slot of ["state", "audit", "request", "jobLog"] as const) {
    const [appId, token] = [apps[slot], tokens.get(slot)];
    if (appId !== null && token !== undefined) map.set(appId, [...(map.get(appId) ?? []), token]);
  }
  return map;
}
