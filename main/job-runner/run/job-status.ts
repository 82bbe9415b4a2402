import type { KnownResultCode } from "../../../shared/contract/index.ts";
import type { JobLogStatus } from "../../../shared/domain/model.ts";

/** Status of the JOB record a result code ends in (execution-contract §6.3). */
export function jobStatusOf(resultCode: KnownResultCode): Exclude<JobLogStatus, "RUNNING"> {
  switch (resultCode) {
    case "OK":
      return "SUCCESS";
    case "NO_DATA":
      return "NO_DATA";
    case "ASSERT_FAILED":
      return "ABORTED";
    case "EXECUTION_TIMEOUT":
      return "TIMEOUT";
    case "CANCELLED":
      return "CANCELLED";
    default:
      return "FAILED";
  }
}
