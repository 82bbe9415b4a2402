/** The processes of this host, and the one that is opened beside them: its PID and creation time. */
export interface ProcessesRoute {
  readonly page: "processes";
  readonly processId?: string;
}

/** A PID, and when it was created where the system tells that. */
const PROCESS_ID = /^\d{1,10}@[\dTZ:.-]{0,40}$/;

/** Null when the address names no process. */
export function processesRoute(encoded: string | undefined): ProcessesRoute | null {
  if (encoded === undefined) return { page: "processes" };
  try {
    const processId = decodeURIComponent(encoded);
    return PROCESS_ID.test(processId) ? { page: "processes", processId } : null;
  } catch {
    return null;
  }
}

export const processesHash = ({ processId }: ProcessesRoute): string =>
  processId === undefined ? "#/processes" : `#/processes/${encodeURIComponent(processId)}`;
