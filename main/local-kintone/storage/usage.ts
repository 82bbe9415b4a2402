import type { Clock } from "../model.ts";
import { type Database, integer, isDiskFull, text } from "./database.ts";

export interface UsageRow {
  readonly app: number;
  /** UTC day; the real quota resets at 09:00 JST, which is UTC midnight (kintone-rest §14). */
  readonly day: string;
  readonly requests: number;
}

/** Requests per app and day: counted, shown, never enforced here (kintone-rest §14). */
export interface Usage {
  /** Counts one request; answers how many the app has had today. */
  count(app: number): number;
  read(): readonly UsageRow[];
  /**
   * Stores what was counted, once enough has gathered or when told to. A full disk only delays it: a figure
   * must never make a request fail.
   */
  settle(now?: "now"): void;
}

/** Requests between two stores of the counts. */
const SETTLE_AFTER = 1000;

/** Creates the counter. A crash loses the counts not yet stored: a figure, not a record. */
export function createUsage(database: Database, clock: Clock): Usage {
  const pending = new Map<string, UsageRow>();
  let counted = 0;
  let dayStart = Number.NaN;
  let day = "";
  function today(): string {
    const start = Math.floor(clock.now() / 86_400_000);
    if (start !== dayStart) {
      dayStart = start;
      day = new Date(start * 86_400_000).toISOString().slice(0, 10);
    }
    return day;
  }
  // What is stored of today, by app: read once, then kept in step by flushing.
  const stored = new Map<number, { readonly day: string; requests: number }>();
  function storedToday(app: number, at: string): number {
    const known = stored.get(app);
    if (known?.day === at) return known.requests;
    const row = database.sql("SELECT requests FROM usage WHERE app = ? AND day = ?").get(app, at);
    const requests = row === undefined ? 0 : integer(row, "requests");
    stored.set(app, { day: at, requests });
    return requests;
  }
  function flush(): void {
    if (pending.size === 0) return;
    const rows = [...pending.values()];
    const add = database.sql(
      `INSERT INTO usage (app, day, requests) VALUES (?, ?, ?)
       ON CONFLICT (app, day) DO UPDATE SET requests = requests + excluded.requests`,
    );
    database.write(() => {
      for (const row of rows) add.run(row.app, row.day, row.requests);
    });
    pending.clear();
    stored.clear();
    counted = 0;
  }
  return {
    count(app) {
      const at = today();
      const key = `${app} ${at}`;
      counted += 1;
      const waiting = (pending.get(key)?.requests ?? 0) + 1;
      pending.set(key, { app, day: at, requests: waiting });
      return storedToday(app, at) + waiting;
    },
    read() {
      flush();
      return database
        .sql("SELECT app, day, requests FROM usage ORDER BY day, app")
        .all()
        .map((row) => ({
          app: integer(row, "app"),
          day: text(row, "day"),
          requests: integer(row, "requests"),
        }));
    },
    settle(now) {
      if (now === undefined && counted < SETTLE_AFTER) return;
      try {
        flush();
      } catch (error) {
        if (!isDiskFull(error)) throw error;
      }
    },
  };
}
