export { carryJobUnlock, type JobReleaseOrder, jobUnlockEnd } from "./carry.ts";
export {
  createJobLocks,
  type JobLocks,
  type JobLocksDeps,
  type JobReleased,
  type JobReleaseWish,
} from "./job-locks.ts";
export { type OpenJobLocksDeps, openJobLocks } from "./open.ts";
