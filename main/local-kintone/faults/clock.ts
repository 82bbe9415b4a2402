import type { Clock } from "../model.ts";
import type { ActionOf } from "./action-schema.ts";

/** The server's clock, shifted or stopped on command (kintone-rest §19, F16, F17). */
export interface FaultClock extends Clock {
  set(action: ActionOf<"clock">): void;
}

const MINUTE_MS = 60_000;

/** Creates a clock that runs with the real one until told otherwise. */
export function createFaultClock(real: Clock): FaultClock {
  let offset = 0;
  let frozen: number | null = null;
  const now = (): number => frozen ?? real.now() + offset;
  function step(ms: number): void {
    if (frozen === null) offset += ms;
    else frozen += ms;
  }
  return {
    now,
    set(action) {
      switch (action.set) {
        case "offset":
          frozen = null;
          offset = action.ms;
          return;
        case "step":
          return step(action.ms);
        case "freeze":
          frozen = action.at === undefined ? now() : Date.parse(action.at);
          return;
        case "second": {
          const inMinute = now() % MINUTE_MS;
          const wanted = action.second * 1000;
          return step(wanted >= inMinute ? wanted - inMinute : MINUTE_MS + wanted - inMinute);
        }
        case "run":
          frozen = null;
          offset = 0;
          return;
      }
    },
  };
}
