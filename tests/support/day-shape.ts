import type { Run } from "../../shared/domain/model.ts";
import { storedRun } from "./entities.ts";
import type { LargeShape } from "./large-workspace.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The network whose Run of today takes longer than usual. */
export const SLOW_NETWORK = "network_00";

export interface DayOfNetworks {
  readonly networks: number;
  readonly days: number;
  /** Of every network. */
  readonly runsOfDay: number;
  readonly nowMs: number;
}

/** Runs of the workspace's own profile: its schedules are about no others. */
const profileSnapshot = { ...storedRun({}).profileSnapshot, profile: "local" };
const iso = (at: number): string => new Date(Math.floor(at / MINUTE) * MINUTE).toISOString();
const two = (value: number): string => String(value).padStart(2, "0");

/** Business key of a network's Run `back` days ago; `turn` counts those of a day. */
export const dayKey = (network: number, back: number, turn: number): string =>
  `network_${two(network)}@${back === 0 ? "today" : `day-${back}`}-${turn}`;

/** When the slow Run should have succeeded, epoch milliseconds: a while ago. */
export const slowDue = (nowMs: number): number => nowMs - 10 * MINUTE;
/** The key a daily schedule in UTC expects for that due time. */
export const slowKey = (nowMs: number): string =>
  `${SLOW_NETWORK}@${new Date(slowDue(nowMs)).toISOString().slice(0, 10)}`;

/**
 * Runs of many networks over some days up to now, newest last, as a day's timeline is made of: each network runs at
 * times of its own for four to eight minutes. The last Run of the first network has been running for 45 minutes.
 */
export function dayShape({ networks, days, runsOfDay, nowMs }: DayOfNetworks): LargeShape {
  const made: Partial<Run>[] = [];
  for (let back = days - 1; back >= 0; back--) {
    for (let turn = 0; turn < runsOfDay; turn++) {
      for (let network = 0; network < networks; network++) {
        const minutes = 4 + ((network + turn + back) % 5);
        // Backwards from an hour ago, so that today's are over whatever the time is.
        const start = nowMs - back * DAY - (60 + (runsOfDay - turn) * 47 + network * 3) * MINUTE;
        made.push({
          networkId: `network_${two(network)}`,
          businessKey: dayKey(network, back, turn),
          status: network === 3 && back === 0 && turn === 0 ? "FAILED" : "SUCCESS",
          createdAt: iso(start),
          startedAt: iso(start),
          finishedAt: iso(start + minutes * MINUTE),
        });
      }
    }
  }
  const start = nowMs - 45 * MINUTE;
  made.push({
    networkId: SLOW_NETWORK,
    businessKey: slowKey(nowMs),
    status: "RUNNING",
    createdAt: iso(start),
    startedAt: iso(start),
    finishedAt: null,
  });
  return {
    runs: made.length,
    nodes: [{ id: "only", dependsOn: [] }],
    attemptsOfNode: 1,
    told: (at) => ({ ...made[at], profileSnapshot }),
  };
}
