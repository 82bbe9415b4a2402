/**
 * What the tables of cases are made of. Plain data: it is written to the manifest as it stands, before the
 * first child starts, and a later run or another program can read it there (retry-boundaries §2, §8).
 */

export type JournalMode = "delete" | "wal";
export type SuiteName = "A-G" | "extended-db";

/** The fixed input of every case (retry-boundaries §1): synthetic, no customer data. */
export const EVENT_ID = "demo-event-001";
export const DELTA = 1;

/** Exit code of a child that ends itself at its stop point, and of one whose write was refused (§3). */
export const EXIT_AT_STOP = 86;
export const EXIT_BUSY = 75;

/** Everything a child can do, in the words of the table. How it is done stands in `child/`. */
export type Action =
  | "BEGIN"
  | "BEGIN IMMEDIATE"
  | "COMMIT"
  | "skip if processed"
  | "insert processed"
  | "insert effect"
  | "append outside"
  | "reply"
  | "wait for a byte"
  | "conflict if other content"
  | "refuse if too old"
  | "purge expired"
  | "insert effect unless in ledger"
  | "insert outbox"
  | "take the next unsent"
  | "mark sent"
  | "call the receiver"
  | "insert by key"
  | "call the service"
  | "store reply"
  | "answer stored reply if processed"
  | "wait until the lease has expired"
  | "take the lease"
  | "limit the page cache"
  | "limit the database to its present size"
  | "insert filler rows"
  | "append the first half of a line"
  | "append the second half of a line"
  | "judge the receipt"
  | "close the operation"
  | "refuse if an operation is open"
  | "insert the operation";

/** One step of work: an action, or a point that is reported and may be the stop point. */
export type Step = Action | `@${string}`;

/** `[processed rows, ledger total, outside lines]`, in the extended suite also receiver rows (§4, §10). */
export type Counts = readonly number[];

/** Further facts of a read-back, by name: the result of a case's own query, or of the outside file. */
export type Fact = string | number | boolean | null;
export type Facts = Readonly<Record<string, Fact>>;

/** What a request carries beside the event; times are fixed so that two runs agree. */
export interface Input {
  readonly key: string;
  readonly content: string;
  /** The clock of this child, where the case is about time; null = the system's. */
  readonly now: string | null;
  readonly occurredAt: string | null;
  /** Stop point of the process this child calls; null = it answers. */
  readonly calledStop: string | null;
}

/** A refusal by SQLite that the plan expects: the full code (5 = SQLITE_BUSY, 517 = SQLITE_BUSY_SNAPSHOT). */
export type Busy = { readonly code: number };

/** One thing the controller does with a child before it reads back. */
export type Move =
  | {
      readonly do: "run";
      readonly child: string;
      readonly role: string;
      readonly input: Input;
      readonly stop: string | null;
      readonly exit: number;
      readonly points: readonly string[];
      readonly busy: Busy | null;
    }
  | {
      /** Started, and left waiting at its last point. */
      readonly do: "hold";
      readonly child: string;
      readonly role: string;
      readonly input: Input;
      readonly points: readonly string[];
    }
  | {
      /** The byte is sent; points are those since the hold. */
      readonly do: "release";
      readonly child: string;
      readonly exit: number;
      readonly points: readonly string[];
      readonly busy: Busy | null;
    };

/** Moves, then one read-back through a second connection. */
export interface Stage {
  readonly id: string;
  readonly moves: readonly Move[];
  readonly counts: Counts;
  readonly facts: Facts;
  /** The read-only connection must meet a hot journal (RB-3). */
  readonly hotJournal: boolean;
}

export interface Text {
  readonly en: string;
  readonly ja: string;
}

export interface CaseDefinition {
  readonly id: string;
  readonly folder: string;
  /** What the code does and where it stops, and what that shows. */
  readonly title: Text;
  readonly lesson: Text;
  /** Order of work, by role. */
  readonly work: Readonly<Record<string, readonly Step[]>>;
  readonly stages: readonly Stage[];
  /** Statements beside the suite's schema. */
  readonly schema: readonly string[];
  /** Queries whose single value becomes a fact. */
  readonly queries: Readonly<Record<string, string>>;
  /** Set where the case means something in one journal mode only. */
  readonly journalMode: JournalMode | null;
  /** A second database, owned by a receiver process. */
  readonly receiver: boolean;
}

export interface Suite {
  readonly name: SuiteName;
  readonly schema: readonly string[];
  readonly cases: readonly CaseDefinition[];
}
