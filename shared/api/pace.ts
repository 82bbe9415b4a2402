import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer, identifier, isoTime } from "./result.ts";
import { runRow } from "./runs.ts";

/** What is usual after the last successes: whole minutes, as records keep them (operator-ux §1.1). */
const expectedMinutes = z.object({
  medianMin: z.int().min(0),
  p90Min: z.int().min(0),
  /** Successes it was learnt from. */
  of: z.int().min(1),
});

export const paces = z.object({
  /** Networks with enough successes to tell. */
  networks: z.array(expectedMinutes.extend({ networkId: z.string(), profile: z.string() })).readonly(),
  /** Due times of the Runs that `schedules.json` expects; newest days only. */
  dues: z.array(z.object({ runId: z.string(), dueAt: isoTime })).readonly(),
});
export type Paces = z.infer<typeof paces>;

/** Runs of one day at most; beyond it the newest are told. */
export const DAY_RUNS_MAX = 2_000;

const dayRuns = z.object({
  /** Those that ran at any time of the stretch, newest first. */
  runs: z.array(runRow).readonly(),
  /** All there are; more than the list holds are only counted. */
  total: z.int(),
  readAt: isoTime,
});
export type DayRuns = z.infer<typeof dayRuns>;

/** How long things take and took, out of what the live model holds: no question here asks the kintone, but `node`. */
export const paceContract = {
  read: oc.input(z.strictObject({})).output(answer(paces)),
  /** Of a Run's node, from the last successes of its network; one bounded reading, of all nodes or, in a large network, of this one. */
  node: oc
    .input(z.strictObject({ runId: identifier, nodeId: identifier }))
    .output(answer(expectedMinutes.nullable())),
  /** The Runs of every network between two instants, ISO-8601 UTC. */
  day: oc.input(z.strictObject({ from: isoTime, before: isoTime })).output(answer(dayRuns)),
};
