import type { ActionOf, FaultActionInput } from "./action-schema.ts";
import type { BarrierArrival } from "./barriers.ts";
import type { ControlAnswer } from "./control-contract.ts";
import { type ControlAddress, exchange } from "./exchange.ts";
import type { JournalEntry } from "./journal-schema.ts";
import type { FaultRuleInput } from "./rule-schema.ts";

type ActionInput<K extends FaultActionInput["kind"]> = Omit<Extract<FaultActionInput, { kind: K }>, "kind">;

/** Faults of a running local kintone, on command (docs/local-kintone-faults.md; kintone-rest §19). */
export interface FaultControl {
  /**
   * Puts rules in force, all or none; they apply in the order they were added. `seed` is what every chance of the drill
   * is drawn from. Rejects with `FAULT_RULE_EXISTS` or `FAULT_REQUEST_INVALID`, whose details name the mistake.
   */
  add(rules: FaultRuleInput | readonly FaultRuleInput[], seed?: number): Promise<void>;
  /** Ends rules by id, or all of them; requests they hold go on as if released. Answers the ids that were in force. */
  clear(...ids: readonly string[]): Promise<readonly string[]>;
  /** Rules in force with how often each was met by a request and how often it acted. */
  rules(): Promise<ControlAnswer<"/rules/list">["rules"]>;
  /**
   * Resolves when a barrier was reached (`count` times in all), also when that was before the call. Rejects with
   * `BARRIER_NOT_REACHED` after `timeoutMs` (30 s), with `BARRIER_CLEARED`, or with the signal's reason.
   */
  waitFor(barrier: string, options?: WaitOptions): Promise<readonly BarrierArrival[]>;
  /** Lets the requests at a barrier go on; rejects with `BARRIER_NOT_REACHED` when none stands there. */
  release(barrier: string): Promise<void>;
  /** A person's change of a record, past every client (F15). */
  writeRecord(
    write: ActionInput<"write-record"> & { readonly app: string; readonly record: string },
  ): Promise<void>;
  /** Shifts, steps, freezes or frees the server's clock (F16); `{set: "second"}` goes to a minute boundary (F17). */
  clock(change: DistributedClock): Promise<void>;
  /** Changes how the server as a whole behaves (F18, F19, F22, F23, F24, F28); keys left out stay. */
  switches(change: ActionInput<"switches">): Promise<void>;
  /** Gives the token of an app and label other rights; none at all revoke it (F20). */
  setTokenRights(app: string, label: string, rights: ActionOf<"token">["rights"]): Promise<void>;
  /** Changes a user's password (F20). */
  setPassword(user: string, password: string): Promise<void>;
  /** Changes the live form of an app at once (F21). */
  changeSchema(change: ActionInput<"schema">): Promise<void>;
  /** Keeps the whole store under a name, replacing what stood there (F30). */
  snapshot(name: string): Promise<void>;
  /** Puts the whole store back as it was: revisions, files, tokens and all (F30). */
  restore(name: string): Promise<void>;
  /** Opens a further kintone port whose callers carry this label, for rules that name a `client`. */
  openPort(client: string): Promise<number>;
  /** Journal entries after a sequence number, oldest first. */
  journal(after?: number): Promise<readonly JournalEntry[]>;
}

export interface WaitOptions {
  readonly count?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

type ClockAction = Extract<FaultActionInput, { kind: "clock" }>;
type WithoutKind<T> = T extends unknown ? Omit<T, "kind"> : never;
export type DistributedClock = WithoutKind<ClockAction>;

/** A control call answers at once, except for a wait. */
const ANSWER_MS = 30_000;
const WAIT_MS = 30_000;

/** Creates the typed client of a fault control port; it holds no connection and needs no disposal. */
export function createFaultControl(address: ControlAddress): FaultControl {
  const soon = (): AbortSignal => AbortSignal.timeout(ANSWER_MS);
  async function act(action: FaultActionInput): Promise<void> {
    await exchange(address, "/act", { action }, soon());
  }
  return {
    async add(rules, seed) {
      const list = Array.isArray(rules) ? rules : [rules];
      const set = { kind: "LOCAL_KINTONE_FAULT_RULES", formatVersion: 1, rules: list, seed };
      await exchange(address, "/rules/add", set, soon());
    },
    async clear(...ids) {
      const body = { ids: ids.length === 0 ? null : ids };
      return (await exchange(address, "/rules/clear", body, soon())).cleared;
    },
    rules: async () => (await exchange(address, "/rules/list", {}, soon())).rules,
    async waitFor(rule, { count = 1, timeoutMs = WAIT_MS, signal } = {}) {
      const limit = AbortSignal.timeout(timeoutMs + ANSWER_MS);
      const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      return (await exchange(address, "/barriers/wait", { rule, count, timeoutMs }, until)).arrivals;
    },
    async release(rule) {
      await exchange(address, "/barriers/release", { rule }, soon());
    },
    writeRecord: (write) => act({ kind: "write-record", ...write }),
    clock: (change) => act({ kind: "clock", ...change }),
    switches: (change) => act({ kind: "switches", ...change }),
    setTokenRights: (app, label, rights) => act({ kind: "token", app, label, rights }),
    setPassword: (user, password) => act({ kind: "password", user: { code: user }, password }),
    changeSchema: (change) => act({ kind: "schema", ...change }),
    snapshot: (name) => act({ kind: "snapshot", name }),
    restore: (name) => act({ kind: "restore", name }),
    openPort: async (client) => (await exchange(address, "/ports/open", { client }, soon())).port,
    journal: async (after = 0) => (await exchange(address, "/journal", { after }, soon())).entries,
  };
}
