import { setTimeout as systemPause } from "node:timers/promises";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { Listening } from "../http/listen.ts";
import type { KintoneRequest, KintoneResponse } from "../model.ts";
import type { FaultAction } from "./action-schema.ts";
import { type ActionTools, perform } from "./actions.ts";
import type { Wording } from "./answers.ts";
import { attend } from "./attend.ts";
import { type BarrierArrival, createBarriers } from "./barriers.ts";
import type { FaultClock } from "./clock.ts";
import type { ServerCore } from "./core.ts";
import { createJournal, type Journal } from "./journal.ts";
import type { FaultOptions } from "./options.ts";
import { createPipeline } from "./pipeline.ts";
import { createPorts } from "./ports.ts";
import { createRuleBook, type RuleState } from "./rule-book.ts";
import type { FaultRuleSet } from "./rule-schema.ts";
import { createSnapshots } from "./snapshots.ts";

/** Faults on command in one server (kintone-rest §19). */
export interface Faults {
  /** Answers a request through the rules; never rejects. */
  answer(request: KintoneRequest): Promise<KintoneResponse>;
  /** Adds rules, all or none, and takes over their seed; throws FlowError `FAULT_RULE_EXISTS`, `CRASH_NEEDS_PROCESS`. */
  add(set: FaultRuleSet): Promise<void>;
  /** Removes all rules, or the named ones; requests held by them go on. Answers the ids removed. */
  clear(ids: readonly string[] | null): Promise<readonly string[]>;
  list(): readonly RuleState[];
  /** Lets the requests at a barrier go on; throws FlowError `BARRIER_NOT_REACHED`. */
  release(rule: string): number;
  /** Resolves with the arrivals at a barrier once there are `count`. */
  waitFor(rule: string, count: number, signal: AbortSignal): Promise<readonly BarrierArrival[]>;
  /** Does something at once, without any request. */
  perform(action: FaultAction): void;
  journal(after: number): ReturnType<Journal["read"]>;
  /** Opens a further port whose requests carry a client label. */
  openPort(client: string): Promise<number>;
  /** Makes a port known to rules that close ports. */
  addPort(listening: Listening, client: string | null): Promise<void>;
  dispose(): void;
}

interface FaultsDeps {
  readonly options: FaultOptions;
  readonly core: ServerCore;
  readonly clock: FaultClock;
  readonly wording: Wording;
}

function noProcess(): never {
  throw new FlowError({
    code: "CRASH_NEEDS_PROCESS",
    message: "This server is part of another program and must not end it.",
    remedy: "Use the server as a process of its own.",
  });
}

/** Creates the faults of a server, with the rules it starts with. */
export function createFaults({ options, core, clock, wording }: FaultsDeps): Faults {
  const ended = new AbortController();
  const monotonic = options.monotonic ?? (() => performance.now());
  let seed = options.rules?.seed ?? 1;
  const journal = createJournal({
    clock: options.clock,
    monotonic,
    limit: options.journalLimit ?? 10_000,
    ...(options.appendJournal === undefined ? {} : { append: options.appendJournal }),
  });
  const wait =
    options.pause ??
    ((ms, signal) => systemPause(ms, undefined, { signal, ref: false }).catch(() => undefined));
  const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
    wait(ms, signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]));
  const book = createRuleBook({
    now: () => clock.now(),
    seed: () => seed,
    labelOf: (token) => core.services().credentials.findToken(token)?.label ?? null,
  });
  const barriers = createBarriers({
    pause,
    log: (event, arrival) => journal.write({ kind: `barrier_${event}`, ...arrival }),
  });
  const ports = createPorts(() => book.list().map(({ rule }) => rule));
  const actions: ActionTools = { core, clock, snapshots: createSnapshots(core) };
  const pipeline = createPipeline({
    ...actions,
    book,
    barriers,
    wording,
    seed: () => seed,
    monotonic,
    pause,
    ended: ended.signal,
    crash: options.crash ?? noProcess,
    logAction: (action, rule) => journal.write({ kind: "action", action, rule }),
  });
  const note = (kind: "faults_started" | "rules_added" | "rules_cleared", rules: readonly string[]): void =>
    journal.write({ kind, seed, rules: [...rules] });

  if (options.rules !== undefined) book.add(options.rules.rules);
  note(
    "faults_started",
    book.list().map(({ rule }) => rule.id),
  );
  return {
    answer: (request) => attend({ core, pipeline, journal, clock, wording }, request),
    async add(set) {
      if (options.crash === undefined && set.rules.some(({ effect }) => effect.kind === "crash")) noProcess();
      book.add(set.rules);
      seed = set.seed ?? seed;
      note(
        "rules_added",
        set.rules.map(({ id }) => id),
      );
      await ports.settle();
    },
    async clear(ids) {
      const gone = book.remove(ids);
      barriers.clear(gone);
      note("rules_cleared", gone);
      await ports.settle();
      return gone;
    },
    list: () => book.list(),
    release: (rule) => barriers.release(rule),
    waitFor: (rule, count, signal) => barriers.waitFor(rule, count, AbortSignal.any([signal, ended.signal])),
    perform(action) {
      journal.write({ kind: "action", action: action.kind, rule: null });
      perform(actions, action, null);
    },
    journal: (after) => journal.read(after),
    async openPort(client) {
      const listening = await core.listen(client);
      return listening.port;
    },
    addPort: (listening, client) => ports.add(listening, client),
    dispose() {
      ended.abort();
      barriers.clear(book.remove(null));
    },
  };
}
