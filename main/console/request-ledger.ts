import { z } from "zod";
import { appsOf, type KintoneTransport } from "../kintone-client/index.ts";
import type { Clock } from "../store/index.ts";
import { budgetDay } from "./request-budget.ts";
import { parseJson } from "./workspace-config.ts";

/** The requests of one day by app, as kept between starts. */
const requestLedgerSchema = z.strictObject({
  kind: z.literal("FLOWNET_REQUEST_LEDGER"),
  formatVersion: z.literal(1),
  baseUrl: z.string(),
  day: z.iso.date(),
  /** App id to the requests of this console. */
  apps: z.record(z.string().regex(/^\d+$/), z.int().nonnegative()),
});

export interface RequestLedger {
  count(apps: readonly number[]): void;
  /** Requests to an app since the day began, as far as this data folder's programs counted them. */
  used(app: number): number;
  day(): string;
  /** Adds what was counted since to the file. Never throws: what could not be written is added the next time. */
  save(): Promise<void>;
}

export interface RequestLedgerDeps {
  readonly baseUrl: string;
  readonly clock: Pick<Clock, "nowMs">;
  /** The file's text, null when there is none. */
  readonly read: () => Promise<string | null>;
  /** Whole or not at all. */
  readonly write: (text: string) => Promise<void>;
}

type Counts = Map<number, number>;

const added = (to: Counts, more: Counts): Counts => {
  const sum = new Map(to);
  for (const [app, used] of more) sum.set(app, (sum.get(app) ?? 0) + used);
  return sum;
};

/**
 * Counts what is asked of each app in a day (operator-ux U2). Requests of other programs are not seen, so the share is
 * a lower bound. A file of another day, another kintone or an unknown form counts as none.
 */
export function createRequestLedger(deps: RequestLedgerDeps): RequestLedger {
  const today = (): string => budgetDay(deps.clock.nowMs());
  let day = today();
  let kept: Counts = new Map();
  /** Counted here and not in the file yet. */
  let fresh: Counts = new Map();
  const turn = (): void => {
    if (day === today()) return;
    day = today();
    kept = new Map();
    fresh = new Map();
  };
  const sync = async (): Promise<void> => {
    turn();
    const of = day;
    const inFile = countsIn(await deps.read(), { day: of, baseUrl: deps.baseUrl });
    if (of !== day) return;
    kept = inFile;
    if (fresh.size === 0) return;
    const moving = fresh;
    kept = added(inFile, moving);
    fresh = new Map();
    try {
      await deps.write(`${JSON.stringify(body(deps.baseUrl, of, kept))}\n`);
    } catch {
      // The disk is full or away: the count goes on in memory and is offered again.
      kept = inFile;
      if (of === day) fresh = added(fresh, moving);
    }
  };
  let saving: Promise<void> = sync().catch(() => undefined);
  return {
    count(apps) {
      turn();
      for (const app of apps) fresh.set(app, (fresh.get(app) ?? 0) + 1);
    },
    used(app) {
      turn();
      return (kept.get(app) ?? 0) + (fresh.get(app) ?? 0);
    },
    day() {
      turn();
      return day;
    },
    save() {
      saving = saving.then(sync).catch(() => undefined);
      return saving;
    },
  };
}

function body(baseUrl: string, day: string, counts: Counts) {
  return {
    kind: "FLOWNET_REQUEST_LEDGER",
    formatVersion: 1,
    baseUrl,
    day,
    apps: Object.fromEntries(counts),
  };
}

function countsIn(text: string | null, wanted: { readonly day: string; readonly baseUrl: string }): Counts {
  const found = text === null ? null : requestLedgerSchema.safeParse(parseJson(text));
  if (!found?.success || found.data.day !== wanted.day || found.data.baseUrl !== wanted.baseUrl)
    return new Map();
  return new Map(Object.entries(found.data.apps).map(([app, used]) => [Number(app), used]));
}

/** The same transport, each request counted as it leaves: what kintone counts, answered or not. */
export function countingTransport(
  transport: KintoneTransport,
  ledger: Pick<RequestLedger, "count">,
): KintoneTransport {
  return {
    send(operation, options) {
      ledger.count(appsOf(operation.request));
      return transport.send(operation, options);
    },
  };
}
