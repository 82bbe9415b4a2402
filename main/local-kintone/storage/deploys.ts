import { z } from "zod";
import type { Person } from "../model.ts";
import { type Database, integer, type Row, text } from "./database.ts";

export type DeployStatus = "PROCESSING" | "SUCCESS" | "FAIL" | "CANCEL";

/** The last deploy of an app (kintone-rest §12). */
export interface Deploy {
  readonly app: number;
  readonly batch: number;
  readonly status: DeployStatus;
  /** Milliseconds since the epoch at which the batch is carried out. */
  readonly due: number;
  readonly revert: boolean;
  readonly person: Person;
}

/** Deploys, kept in the file: one that was asked for is carried out even if the server is started anew. */
export interface DeployStore {
  /** Status of the last deploy; `SUCCESS` for an app without one (kintone-rest §12). */
  statusOf(app: number): DeployStatus;
  /** Queues one batch; runs inside a write. */
  queue(apps: readonly number[], order: Pick<Deploy, "due" | "revert" | "person">): void;
  /** Deploys of the next batch that is due, or none. */
  due(now: number): readonly Deploy[];
  /** Sets the end of a deploy; runs inside a write. */
  end(app: number, status: DeployStatus): void;
  /**
   * Looks anew for waiting batches, after a write that was rolled back; none of them is due before `notBefore`,
   * milliseconds since the epoch.
   */
  refresh(notBefore: number): void;
}

/** No deploy takes longer, in milliseconds: one that is due later than that was queued before the clock went back. */
const LONGEST_MS = 3_600_000;

const personSchema = z.object({ code: z.string(), name: z.string() });
const statusSchema = z.enum(["PROCESSING", "SUCCESS", "FAIL", "CANCEL"]);

function readDeploy(row: Row): Deploy {
  return {
    app: integer(row, "app"),
    batch: integer(row, "batch"),
    status: statusSchema.parse(row.status),
    due: integer(row, "due"),
    revert: integer(row, "revert") === 1,
    person: personSchema.parse(JSON.parse(text(row, "person"))),
  };
}

/** Creates the store. When the next batch is due is kept in memory: every request asks. */
export function createDeployStore(database: Database): DeployStore {
  const earliest = (): number => {
    const row = database.sql("SELECT MIN(due) AS due FROM deploys WHERE status = 'PROCESSING'").get();
    return typeof row?.due === "number" ? row.due : Number.POSITIVE_INFINITY;
  };
  let next = earliest();
  return {
    statusOf(app) {
      const status = database.sql("SELECT status FROM deploys WHERE app = ?").get(app)?.status;
      return status === undefined ? "SUCCESS" : statusSchema.parse(status);
    },
    queue(apps, { due, revert, person }) {
      const last = database.sql("SELECT COALESCE(MAX(batch), 0) AS batch FROM deploys").get()?.batch;
      const batch = Number(last ?? 0) + 1;
      const put = database.sql(
        "INSERT OR REPLACE INTO deploys (app, batch, status, due, revert, person) VALUES (?, ?, 'PROCESSING', ?, ?, ?)",
      );
      for (const app of apps) put.run(app, batch, due, revert ? 1 : 0, JSON.stringify(person));
      next = Math.min(next, due);
    },
    due(now) {
      if (now < next && next <= now + LONGEST_MS) return [];
      const rows = database
        .sql(
          `SELECT * FROM deploys WHERE status = 'PROCESSING' AND batch =
             (SELECT batch FROM deploys WHERE status = 'PROCESSING' AND (due <= ?1 OR due > ?1 + ?2)
                ORDER BY batch LIMIT 1)
           ORDER BY app`,
        )
        .all(now, LONGEST_MS);
      return rows.map(readDeploy);
    },
    end(app, status) {
      database.sql("UPDATE deploys SET status = ? WHERE app = ?").run(status, app);
    },
    refresh(notBefore) {
      next = Math.max(earliest(), notBefore);
    },
  };
}
