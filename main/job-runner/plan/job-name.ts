import { basename } from "node:path";

/** Logical name of a job: the header's, else the file's without `.sql` (job-dialect §2.1). */
export function jobNameOf(headerName: string | null, path: string): string {
  return headerName ?? basename(path).replace(/\.sql$/i, "");
}
