import { expect } from "vitest";
import {
  createFaultControl,
  type FaultControl,
  type FaultOptions,
  type JournalEntry,
  startFaultControl,
} from "../../../main/local-kintone/index.ts";
import { keyed, type RawAnswer, type Rig, startRig, systemClock } from "./support.ts";

export const CONTROL_TOKEN = "control-secret-control-secret-control-secret";

export type RequestEntry = Extract<JournalEntry, { kind: "request" }>;

/** A server with a control port, and time that passes only when a test says so. */
export interface FaultRig extends Rig {
  readonly control: FaultControl;
  readonly controlPort: number;
  /** Ends every pause that is under way, and answers their lengths. */
  passTime(): readonly number[];
  /** Resolves once a pause of this length is under way. */
  pausing(ms: number): Promise<void>;
  /** The journal's last line about a request with this method; a write of one record by default. */
  lastRequest(method?: string): Promise<RequestEntry>;
  /** Inserts a minimal record and answers its id. */
  insert(key: string): string;
  /** A PUT of the status of a record. */
  putStatus(id: string, revision?: number, status?: string): Promise<RawAnswer>;
  /** The stored revision and status, as a GET shows them. */
  stored(id: string): Promise<{ readonly revision: string; readonly status: unknown }>;
}

interface Pause {
  readonly ms: number;
  readonly end: () => void;
}

/** Pauses that wait for the test instead of for time. */
function manualPauses(): { readonly pause: NonNullable<FaultOptions["pause"]>; readonly open: Set<Pause> } {
  const open = new Set<Pause>();
  return {
    open,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        const entry: Pause = {
          ms,
          end() {
            open.delete(entry);
            resolve();
          },
        };
        open.add(entry);
        signal.addEventListener("abort", entry.end, { once: true });
        if (signal.aborted) entry.end();
      }),
  };
}

/** Starts a server that can fail, with its control port; the caller closes it. */
export async function startFaultRig(faults: Partial<FaultOptions> = {}): Promise<FaultRig> {
  const { pause, open } = manualPauses();
  const rig = await startRig({ faults: { clock: systemClock, pause, ...faults } });
  const { server, app } = rig;
  if (server.faults === null) throw new Error("the server was not made to fail");
  const controlServer = await startFaultControl(server.faults, { token: CONTROL_TOKEN });
  const control = createFaultControl({ port: controlServer.port, token: CONTROL_TOKEN });
  return {
    ...rig,
    control,
    controlPort: controlServer.port,
    passTime() {
      const ended = [...open];
      for (const { end } of ended) end();
      return ended.map(({ ms }) => ms);
    },
    async pausing(ms) {
      await expect.poll(() => [...open].map((entry) => entry.ms), { interval: 2 }).toContain(ms);
    },
    async lastRequest(method = "PUT") {
      const entries = await control.journal();
      const last = entries.findLast(
        (entry): entry is RequestEntry => entry.kind === "request" && entry.method === method,
      );
      if (last === undefined) throw new Error(`the journal has no ${method}`);
      return last;
    },
    insert: (key) => server.provision.insertRecords(app, [keyed(key)])[0] ?? "",
    putStatus: (id, revision, status = "RUNNING") =>
      rig.send("PUT", "/k/v1/record.json", {
        app,
        id,
        ...(revision === undefined ? {} : { revision }),
        record: { status: { value: status } },
      }),
    async stored(id) {
      const { record } = await rig.client.record.getRecord({ app, id });
      return { revision: String(record.$revision?.value), status: record.status?.value };
    },
    async close() {
      await controlServer.close();
      await rig.close();
    },
  };
}
