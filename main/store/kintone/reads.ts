import { attemptKey, networkLockKey, recordKeys } from "../../../shared/domain/keys.ts";
import type {
  Attempt,
  Hold,
  Invocation,
  NetworkLock,
  NodeState,
  Run,
  Stored,
} from "../../../shared/domain/model.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import {
  attemptCodec,
  auditQueries,
  HOLD_RECORD_TYPE,
  holdCodec,
  inLists,
  invocationCodec,
  jobLogCodec,
  jobLogQueries,
  keysetPage,
  lockCodec,
  nodeStateCodec,
  runCodec,
  stateQueries,
} from "../../../shared/records/index.ts";
import {
  getRecords,
  pageById,
  type RawRecord,
  type ReadDeps,
  requireValue,
  sendRead,
} from "../../kintone-client/index.ts";
import type {
  FlowReads,
  JobLogLookup,
  NetworkOverview,
  NetworkScope,
  RunGraph,
  StateOverview,
} from "../ports.ts";
import type { AppIds } from "./changes/encode.ts";
import { createResolutionReads } from "./resolutions.ts";
import { type Decode, decoded, into, onlyOne, requireKey, sortRows } from "./sort-rows.ts";
import { strayEdits } from "./stray-edits.ts";

const ofNetwork =
  ({ profile, networkId }: NetworkScope) =>
  (run: Run): boolean =>
    run.networkId === networkId && run.profileSnapshot.profile === profile;

const problemOf = (error: unknown): Problem | null => (error instanceof FlowError ? error.problem : null);

/** All records of a Run in the state app: itself, its Node States, its hold. */
const stateOfRun = (runId: string): string =>
  [stateQueries.runById(runId), stateQueries.nodeStates(runId), stateQueries.holds([runId])].join(" or ");

/** Invocations and Attempts of a Run. */
const auditOfRun = (runId: string): string =>
  [auditQueries.invocations(runId), auditQueries.attempts(runId)].join(" or ");

/**
 * Reads of the orchestrator over HTTP (wire-format §4.2): paged by `$id`, repeated within bounds, every match
 * compared exactly in memory because kintone compares tokens on some columns (kintone-rest W10).
 */
export function createFlowReads(deps: ReadDeps, apps: AppIds): FlowReads {
  const resolutions = createResolutionReads(deps, apps.audit);

  async function all<T>(
    app: number,
    condition: string,
    decode: Decode<T>,
    what: string,
    signal?: AbortSignal,
  ): Promise<readonly Stored<T>[]> {
    return (await rawRows(app, condition, what, signal)).map((raw) => decoded(decode(raw)));
  }

  async function rawRows(app: number, condition: string, what: string, signal?: AbortSignal) {
    const rows: RawRecord[] = [];
    const page = (after: string, limit: number): string => keysetPage(`(${condition})`, after, limit);
    const options = signal ? { signal } : {};
    for await (const records of pageById(deps, { app, page, what }, options)) rows.push(...records);
    return rows;
  }

  /** Unique keys and the few rows of one id: one request, no paging. */
  async function few<T>(app: number, query: string, decode: Decode<T>, what: string, signal?: AbortSignal) {
    const answer = await sendRead(deps, getRecords(app, query), signal ? { signal } : {});
    return requireValue(answer, what).map((raw) => decoded(decode(raw)));
  }

  async function lookUpJobLog(attemptId: string, signal?: AbortSignal): Promise<JobLogLookup> {
    const query = jobLogQueries.byAttempt(attemptId);
    const rows = await few(apps.jobLog, query, jobLogCodec.decode, "read the JOB log", signal);
    const exact = rows.filter((row) => row.attemptId === attemptId);
    const [log] = exact;
    // A full page of strangers may hide the right row.
    if (exact.length > 1 || (log === undefined && rows.length > 1)) {
      return { kind: "ambiguous", count: rows.length };
    }
    return log === undefined ? { kind: "none" } : { kind: "found", log };
  }

  return {
    async findRunByKey({ profile, networkId, businessKey }, signal) {
      const key = requireKey(recordKeys.run(profile, networkId, businessKey));
      const rows = await few(apps.state, stateQueries.byKey(key), runCodec.decode, "read the Run", signal);
      const run = onlyOne(rows, "the Run of this business key");
      if (run === null || runCodec.recordKey(run) === key) return run;
      throw new FlowError({
        code: "RECORD_UNREADABLE",
        message: "The Run found by its key carries another profile, network or business key.",
        place: `record ${run.ref.recordId}`,
        remedy: "Compare the record with its key in kintone; it was changed by hand.",
      });
    },
    async findRunById(runId, signal) {
      const rows = await few(
        apps.state,
        stateQueries.runById(runId),
        runCodec.decode,
        "read the Run",
        signal,
      );
      return onlyOne(
        rows.filter((run) => run.runId === runId),
        `the Run ${runId}`,
      );
    },
    async listRuns({ profile, networkId }, signal) {
      const condition = stateQueries.runsOfNetwork(networkId);
      const runs = await all(apps.state, condition, runCodec.decode, "list the Runs", signal);
      return runs.filter(ofNetwork({ profile, networkId }));
    },
    async readNetwork({ profile, networkId }, signal): Promise<NetworkOverview> {
      const key = requireKey(networkLockKey(profile, networkId));
      const query = stateQueries.network(networkId, key);
      const runs: Stored<Run>[] = [];
      const holds: Stored<Hold>[] = [];
      const locks: Stored<NetworkLock>[] = [];
      const left: Problem[] = [];
      const readers = [
        into(runs, runCodec.decode, ofNetwork({ profile, networkId })),
        into(holds, holdCodec.decode, () => true),
        into(locks, lockCodec.decode, (lock) => lock.lockKey === key),
      ];
      const rows = await rawRows(apps.state, query, "read the network", signal);
      sortRows(rows, readers, (problem) => left.push(problem));
      const own = new Set(runs.map(({ runId }) => runId));
      return {
        // The holds of every network come along; a broken one of another's Run is told where that Run is.
        unreadable: left.filter(
          ({ details }) => details?.recordType !== HOLD_RECORD_TYPE || own.has(String(details.runId)),
        ),
        runs,
        holds: new Map(holds.flatMap((hold) => (own.has(hold.runId) ? [[hold.runId, hold]] : []))),
        lock: onlyOne(locks, "the Network lock"),
      };
    },
    listAllRuns: (signal) => all(apps.state, stateQueries.runs(), runCodec.decode, "list the Runs", signal),
    async readOverview(since, signal): Promise<StateOverview> {
      const rows = await rawRows(apps.state, stateQueries.overview(since), "read what changed", signal);
      const runs: Stored<Run>[] = [];
      const holds: Stored<Hold>[] = [];
      const locks: Stored<NetworkLock>[] = [];
      const any = (): boolean => true;
      sortRows(rows, [
        into(runs, runCodec.decode, any),
        into(holds, holdCodec.decode, any),
        into(locks, lockCodec.decode, any),
      ]);
      return { runs, holds, locks };
    },
    async listNodeStates(runId, signal) {
      const condition = stateQueries.nodeStates(runId);
      const states = await all(apps.state, condition, nodeStateCodec.decode, "list Node States", signal);
      return states.filter((state) => state.runId === runId);
    },
    async listNodeStatesOfRuns(runIds, signal, nodeId) {
      const found = new Map<string, Stored<NodeState>[]>(runIds.map((runId) => [runId, []]));
      for (const list of inLists([...found.keys()])) {
        const condition = stateQueries.nodeStatesOfRuns(list, nodeId);
        const states = await all(apps.state, condition, nodeStateCodec.decode, "list Node States", signal);
        for (const state of states) {
          if (nodeId === undefined || state.nodeId === nodeId) found.get(state.runId)?.push(state);
        }
      }
      return found;
    },
    async listInvocations(runId, signal) {
      const condition = auditQueries.invocations(runId);
      const rows = await all(apps.audit, condition, invocationCodec.decode, "list Invocations", signal);
      return rows.filter((invocation) => invocation.runId === runId);
    },
    async listAttempts(runId, signal) {
      const condition = auditQueries.attempts(runId);
      const rows = await all(apps.audit, condition, attemptCodec.decode, "list Attempts", signal);
      return rows.filter((attempt) => attempt.runId === runId);
    },
    async listAttemptsByNumber(wanted, signal) {
      const keys = wanted.flatMap(({ runId, nodeId, attemptNo }) => {
        const key = attemptKey(runId, nodeId, attemptNo);
        // A number no Attempt has (0: none was made yet) names nothing.
        return key.ok ? [key.value] : [];
      });
      const found: Stored<Attempt>[] = [];
      for (const list of inLists([...new Set(keys)])) {
        const condition = auditQueries.attemptsByKeys(list);
        found.push(...(await all(apps.audit, condition, attemptCodec.decode, "list Attempts", signal)));
      }
      const named = new Set(keys);
      return found.filter(({ runId, nodeId, attemptNo }) => {
        const key = attemptKey(runId, nodeId, attemptNo);
        return key.ok && named.has(key.value);
      });
    },
    listResolutions: resolutions.byIds,
    async findHold(runId, signal) {
      const query = stateQueries.byKey(requireKey(recordKeys.hold(runId)));
      return onlyOne(await few(apps.state, query, holdCodec.decode, "read the hold", signal), "the hold");
    },
    async findLock({ profile, networkId }, signal) {
      const key = requireKey(networkLockKey(profile, networkId));
      const query = stateQueries.activeLock(key);
      const rows = await few(apps.state, query, lockCodec.decode, "read the Network lock", signal);
      return onlyOne(
        rows.filter((lock) => lock.lockKey === key),
        "the Network lock",
      );
    },
    listHeldLocks: (signal) =>
      all(apps.state, stateQueries.activeLocks(), lockCodec.decode, "list the Network locks", signal),
    async findJobLog(attemptId, signal) {
      try {
        return await lookUpJobLog(attemptId, signal);
      } catch (error) {
        const problem = problemOf(error);
        if (problem === null) throw error;
        return { kind: "unreadable", problem };
      }
    },
    async findHolds(runIds, signal) {
      const wanted = new Set(runIds);
      const found = new Map<string, Stored<Hold>>();
      for (const list of inLists([...wanted])) {
        const condition = stateQueries.holds(list);
        for (const hold of await all(apps.state, condition, holdCodec.decode, "list the holds", signal)) {
          if (wanted.has(hold.runId)) found.set(hold.runId, hold);
        }
      }
      return found;
    },
    async findRunIdOfInvocation(invocationId, signal) {
      const query = auditQueries.byKey(requireKey(recordKeys.invocation(invocationId)));
      const rows = await few(apps.audit, query, invocationCodec.decode, "read the Invocation", signal);
      return onlyOne(rows, "the Invocation")?.runId ?? null;
    },
    async readRunGraph(runId, signal): Promise<RunGraph> {
      const [state, audit] = await Promise.all([
        rawRows(apps.state, stateOfRun(runId), "read the Run's records", signal),
        rawRows(apps.audit, auditOfRun(runId), "read the Run's history", signal),
      ]);
      const runs: Stored<Run>[] = [];
      const states: Stored<NodeState>[] = [];
      const holds: Stored<Hold>[] = [];
      const invocations: Stored<Invocation>[] = [];
      const attempts: Stored<Attempt>[] = [];
      const ofRun = (row: { readonly runId: string }): boolean => row.runId === runId;
      const stray = strayEdits();
      sortRows(state, [
        into(states, stray.decode, ofRun),
        into(runs, runCodec.decode, ofRun),
        into(holds, holdCodec.decode, ofRun),
      ]);
      sortRows(audit, [
        into(attempts, attemptCodec.decode, ofRun),
        into(invocations, invocationCodec.decode, ofRun),
      ]);
      return {
        run: onlyOne(runs, `the Run ${runId}`),
        states,
        hold: onlyOne(holds, "the hold"),
        invocations,
        attempts,
        resolutions: await resolutions.ofRun(attempts, signal),
        edits: stray.edits,
      };
    },
  };
}
