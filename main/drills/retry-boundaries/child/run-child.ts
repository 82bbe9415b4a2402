import { performance } from "node:perf_hooks";
import { type Action, EXIT_AT_STOP, EXIT_BUSY, type Step } from "../cases/model.ts";
import * as base from "./actions-base.ts";
import * as extended from "./actions-extended.ts";
import { planOf, readArguments } from "./arguments.ts";
import { callReceiver, callService } from "./call.ts";
import { type ChildContext, createContext } from "./context.ts";
import { errorCode, isBusy, SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_FULL } from "./sqlite-codes.ts";

export type Perform = (context: ChildContext) => void;

/** How each word of the tables is done. */
export const ACTIONS: Readonly<Record<Action, Perform>> = {
  BEGIN: ({ database }) => database().exec("BEGIN"),
  "BEGIN IMMEDIATE": ({ database }) => database().exec("BEGIN IMMEDIATE"),
  COMMIT: ({ database }) => database().exec("COMMIT"),
  "skip if processed": (context) => {
    if (base.isProcessed(context)) base.leave(context, "skipped");
  },
  "insert processed": base.insertProcessed,
  "insert effect": base.insertEffect,
  "append outside": ({ args, input }) => base.appendFlushed(args.outside, `${input.key}\n`),
  reply: ({ say, reply }) => say(reply === null ? "replied" : `replied=${base.sha256(reply)}`),
  "wait for a byte": base.waitForByte,
  "conflict if other content": extended.conflictIfOtherContent,
  "refuse if too old": extended.refuseIfTooOld,
  "purge expired": extended.purgeExpired,
  "insert effect unless in ledger": (context) =>
    extended.unlessInLedger(context, () => base.insertEffect(context)),
  "insert outbox": extended.insertOutbox,
  "take the next unsent": extended.takeNextUnsent,
  "mark sent": extended.markSent,
  "call the receiver": callReceiver,
  "insert by key": extended.insertByKey,
  "call the service": callService,
  "store reply": extended.storeReply,
  "answer stored reply if processed": extended.answerStoredReply,
  "wait until the lease has expired": extended.waitForExpiry,
  "take the lease": extended.takeLease,
  "limit the page cache": extended.limitPageCache,
  "limit the database to its present size": extended.limitDatabaseSize,
  "insert filler rows": extended.insertFiller,
  "append the first half of a line": extended.appendFirstHalf,
  "append the second half of a line": extended.appendSecondHalf,
  "judge the receipt": extended.judgeReceipt,
  "close the operation": extended.closeOperation,
  "refuse if an operation is open": extended.refuseIfOperationOpen,
  "insert the operation": extended.insertOperation,
};

/** What makes one child program: the real one, or one that the tests have broken on purpose. */
export interface ChildProgram {
  readonly actions: Readonly<Record<Action, Perform>>;
  readonly orderOf: (steps: readonly Step[], context: ChildContext) => readonly Step[];
  /** Ends the process at the stop point: at once, without rollback or close (retry-boundaries §3). */
  readonly endAtStop: (context: ChildContext) => never;
  /** What becomes of a refusal by SQLite. */
  readonly onBusy: (context: ChildContext, code: number, waitedMs: number) => never;
}

export const REAL_CHILD: ChildProgram = {
  actions: ACTIONS,
  orderOf: (steps) => steps,
  endAtStop: () => process.exit(EXIT_AT_STOP),
  onBusy: (context, code, waitedMs) => {
    context.say("busy", { code, waited_ms: waitedMs });
    return context.end(EXIT_BUSY);
  },
};

/** Works through one row of the table and ends the process. Never returns. */
export function runChild(argv: readonly string[], program: ChildProgram): never {
  const args = readArguments(argv);
  const { steps, input } = planOf(args);
  const context = createContext(args, input);
  for (const step of program.orderOf(steps, context)) {
    if (isPoint(step)) {
      const point = step.slice(1);
      context.say(point);
      if (point === args.stop) program.endAtStop(context);
    } else {
      perform(step, context, program);
    }
  }
  return context.end(0);
}

function isPoint(step: Step): step is `@${string}` {
  return step.startsWith("@");
}

function perform(action: Action, context: ChildContext, program: ChildProgram): void {
  const startedAt = performance.now();
  try {
    program.actions[action](context);
  } catch (error) {
    const code = errorCode(error);
    if (code !== null && isBusy(error)) {
      program.onBusy(context, code, Math.round(performance.now() - startedAt));
    }
    const name = NAMED_FAILURES[code ?? 0];
    if (name === undefined) throw error;
    context.say(name);
    context.end(1);
  }
}

/** Refusals that are the expected end of a case. */
const NAMED_FAILURES: Readonly<Record<number, string>> = {
  [SQLITE_FULL]: "SQLITE_FULL",
  [SQLITE_CONSTRAINT_PRIMARYKEY]: "SQLITE_CONSTRAINT_PRIMARYKEY",
};
