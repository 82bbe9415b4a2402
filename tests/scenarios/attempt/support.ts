import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import {
  type AttemptInput,
  type Attempts,
  createAttempts,
  createJournal,
  type RunnerConfig,
  readHostFacts,
} from "../../../main/attempt/index.ts";
import { createProcessManager, type ProcessManager, systemBootId } from "../../../main/process/index.ts";
import type { JobLogLookup } from "../../../main/store/index.ts";
import type { JobLog } from "../../../shared/domain/model.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { childProgram } from "../process/support.ts";

export const NOW = "2026-08-01T09:00:00.000Z";
export const clock = { nowMs: () => Date.parse(NOW), monotonicMs: () => performance.now() };

export const jobLog = (changes: Partial<JobLog>): JobLogLookup => ({
  kind: "found",
  log: {
    status: "RUNNING",
    attemptId: "",
    executionId: "execution-of-the-log",
    correlationId: null,
    jobId: null,
    jobKey: null,
    runnerExecutionStartedAt: null,
    startedAt: null,
    finishedAt: null,
    readCount: 3,
    writtenCount: 2,
    lastWrittenKey: "L-2",
    errorMessage: null,
    host: null,
    ...changes,
  },
});

export interface AttemptBench {
  readonly folder: string;
  readonly processes: ProcessManager;
  readonly problems: readonly Problem[];
  readonly journal: ReturnType<typeof createJournal>;
  path(name: string): string;
  config(behaviour: string, more?: Partial<RunnerConfig>): RunnerConfig;
  input(more?: Partial<AttemptInput>): AttemptInput;
  attempts(config: RunnerConfig, lookups?: readonly JobLogLookup[], limitMarginMs?: number): Attempts;
}

/** A data folder, a process manager and a journal for each test, all gone after it. */
export function createAttemptBench(): () => AttemptBench {
  let bench: AttemptBench | null = null;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "flownet attempt 試行 "));
    const path = (name: string): string => join(folder, name);
    const problems: Problem[] = [];
    const processes = createProcessManager();
    const journal = createJournal({
      folder: path("journal"),
      hostFacts: readHostFacts(systemBootId),
      clock,
      ids: { uuid: randomUUID },
    });
    bench = {
      folder,
      processes,
      problems,
      journal,
      path,
      config: (behaviour, more = {}) => ({
        command: process.execPath,
        leadingArgs: [childProgram("runner.mjs")],
        configPath: path("ksql config.json"),
        profile: "本番",
        workDir: path("work"),
        env: { BEHAVIOUR: behaviour, READY: path("ready"), GRANDCHILD: path("grandchild") },
        graceMs: 300,
        controlPipe: false,
        ...more,
      }),
      input: (more = {}) => ({
        runId: `run_${randomUUID()}`,
        nodeId: "集計",
        jobId: "daily-orders",
        attemptId: `attempt_${randomUUID()}`,
        attemptNo: 1,
        sqlPath: path("sql/受注 集計.sql"),
        asOf: "2026-08-01T09:00:00+09:00",
        batchTimeoutSec: null,
        ...more,
      }),
      attempts: (runnerConfig, lookups = [{ kind: "none" }], limitMarginMs = 0) => {
        const answers = [...lookups];
        const next = (): JobLogLookup =>
          (answers.length > 1 ? answers.shift() : answers[0]) ?? { kind: "none" };
        return createAttempts({
          runnerConfig,
          processes,
          journal,
          clock,
          jobLog: { findJobLog: async () => next() },
          onProblem: (problem) => problems.push(problem),
          limitMarginMs,
          lookupRetry: { attempts: 3, pauseMs: 1 },
        });
      },
    };
  });
  afterEach(async () => {
    await bench?.journal.dispose();
    await bench?.processes.dispose();
    if (bench !== null) rmSync(bench.folder, { recursive: true, force: true });
  });
  return () => {
    if (bench === null) throw new Error("the bench exists inside a test only");
    return bench;
  };
}
