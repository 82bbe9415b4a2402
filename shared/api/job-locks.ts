import { oc } from "@orpc/contract";
import { z } from "zod";
import { RUN_STATUSES } from "../domain/model.ts";
import { answer, identifier, isoTime, problemSchema } from "./result.ts";

/** A job that nodes of known networks run, by the key of its lock (execution-contract §7.1). */
const jobRow = z.object({
  /** `<profile>:<job>`; null where the job's name makes no key. */
  jobKey: z.string().nullable(),
  jobId: z.string(),
  nodes: z.array(z.object({ networkId: z.string(), nodeId: z.string() })).readonly(),
  /** Why it can have no lock. */
  problem: problemSchema.nullable(),
});
export type JobRow = z.infer<typeof jobRow>;

const jobList = z.object({
  jobs: z.array(jobRow).readonly(),
  /** Networks whose definition could not be read; their jobs are missing here. */
  unreadable: z.array(z.object({ networkId: z.string(), problem: problemSchema })).readonly(),
  readAt: isoTime,
});
export type JobList = z.infer<typeof jobList>;

/** An unfinished Run whose node runs this job: what a release may be recorded with (orchestration §5.5). */
const jobRunNode = z.object({
  runId: z.string(),
  businessKey: z.string(),
  status: z.enum(RUN_STATUSES),
  networkId: z.string(),
  nodeId: z.string(),
});
export type JobRunNode = z.infer<typeof jobRunNode>;

export const jobLock = z.object({
  jobKey: z.string(),
  /** Null: the log app could not be read. */
  locked: z.boolean().nullable(),
  record: z
    .object({
      recordId: z.string(),
      batchId: z.string(),
      startedAt: isoTime.nullable(),
      host: z.string(),
      scriptName: z.string(),
    })
    .nullable(),
  /** The holder's host is the one this console runs on. */
  thisHost: z.boolean(),
  inspectedAt: isoTime,
  runs: z.array(jobRunNode).readonly(),
});
export type JobLock = z.infer<typeof jobLock>;

/** ジョブロック: the jobs of the known networks, and for one of them who holds its lock. Both only read. */
export const jobLocksContract = {
  /** From the definitions of the allow list; costs no request. */
  list: oc.input(z.strictObject({})).output(answer(jobList)),
  /** Asks the runner, one question at a time (execution-contract §2.4). */
  inspect: oc.input(z.strictObject({ jobKey: identifier })).output(answer(jobLock)),
};
