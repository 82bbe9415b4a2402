import type { ProcessIdentity } from "../ports.ts";
import { type Handle, type Native, wide } from "./native.ts";

const JOB_QUERY = 0x0004;
const JOB_TERMINATE = 0x0008;
const LIMITS_CLASS = 9;
const LIMITS_BYTES = 144;
const LIMIT_FLAGS_AT = 16;
const KILL_ON_CLOSE = 0x2000;
const PROCESS_LIST_CLASS = 3;
const MOST_MEMBERS = 16_384;
const DUPLICATE_SAME_ACCESS = 2;
const CURRENT_PROCESS = -1n;
const ERROR_ALREADY_EXISTS = 183n;

/** Told apart from every code a program ends with by itself: such an end was our doing. */
export const FORCED_EXIT_CODE = 137;

/**
 * Name of the job object around a node attempt (decisions §3): made from what the journal knows of its root, so that
 * the next console finds it again. `Global` because that console may run in another session, as a service does.
 */
export function jobName(root: ProcessIdentity): string | null {
  return root.processStart === null
    ? null
    : `Global\\FlowNetConsole-${root.pid}-${Date.parse(root.processStart)}`;
}

/** A new job object, or null. With `killOnClose` everything in it ends with the last handle: for our own workers only. */
export function createJob(native: Native, name: string | null, killOnClose: boolean): Handle | null {
  const job = native.call.CreateJobObjectW(null, name === null ? null : wide(name));
  if (job === 0n) return null;
  // Somebody made one of this name before: what is in it, and what becomes of it, is not ours to say.
  if (name !== null && native.call.GetLastError() === ERROR_ALREADY_EXISTS) {
    native.call.CloseHandle(job);
    return null;
  }
  if (!killOnClose) return job;
  const limits = Buffer.alloc(LIMITS_BYTES);
  limits.writeUInt32LE(KILL_ON_CLOSE, LIMIT_FLAGS_AT);
  if (native.call.SetInformationJobObject(job, LIMITS_CLASS, limits, limits.length) !== 0n) return job;
  native.call.CloseHandle(job);
  return null;
}

/** Opens a job object by its name: null when nobody holds it any more, or it may not be looked at. */
export function openJob(native: Native, name: string): Handle | null {
  const job = native.call.OpenJobObjectW(JOB_QUERY | JOB_TERMINATE, 0, wide(name));
  return job === 0n ? null : job;
}

/** Numbers of the living processes in a job, or null when the system does not tell. */
export function jobMembers(native: Native, job: Handle): readonly number[] | null {
  const buffer = Buffer.alloc(8 + MOST_MEMBERS * 8);
  if (native.call.QueryInformationJobObject(job, PROCESS_LIST_CLASS, buffer, buffer.length, null) === 0n)
    return null;
  const count = Math.min(buffer.readUInt32LE(4), MOST_MEMBERS);
  return Array.from({ length: count }, (_, at) => Number(buffer.readBigUInt64LE(8 + at * 8)));
}

/** Ends every process in the job at once. */
export function terminateJob(native: Native, job: Handle): void {
  native.call.TerminateJobObject(job, FORCED_EXIT_CODE);
}

/**
 * Lets the process itself hold its job object: the name then lives as long as the process does, whatever becomes of
 * this program (decisions §3). True when it was done.
 */
export function giveJobTo(native: Native, job: Handle, processHandle: Handle): boolean {
  const given = Buffer.alloc(8);
  return (
    native.call.DuplicateHandle(CURRENT_PROCESS, job, processHandle, given, 0, 0, DUPLICATE_SAME_ACCESS) !==
    0n
  );
}

/** Members of the named job around `root`, or null when it cannot be opened. */
export function membersOfNamedJob(native: Native, root: ProcessIdentity): readonly number[] | null {
  const name = jobName(root);
  const job = name === null ? null : openJob(native, name);
  if (job === null) return null;
  const members = jobMembers(native, job);
  native.call.CloseHandle(job);
  return members;
}

/** Is this program itself inside a job object of somebody else? */
export function insideJob(native: Native): boolean {
  const answer = Buffer.alloc(4);
  return native.call.IsProcessInJob(CURRENT_PROCESS, 0n, answer) !== 0n && answer.readInt32LE() !== 0;
}
