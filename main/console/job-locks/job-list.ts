import type { JobList, JobRow, Network } from "../../../shared/api/index.ts";
import { recordKeys } from "../../../shared/domain/keys.ts";

/** The jobs behind the nodes of the networks, each once, by name; a job that several nodes run has one lock. Pure. */
export function jobsOf(networks: readonly Network[], profile: string): Omit<JobList, "readAt"> {
  const nodes = networks.flatMap(({ networkId, nodes: all }) =>
    all.map(({ id, jobId }) => ({ jobId, at: { networkId, nodeId: id } })),
  );
  const jobs = Map.groupBy(nodes, ({ jobId }) => jobId);
  const row = (jobId: string, used: typeof nodes): JobRow => {
    const key = recordKeys.jobKey(profile, jobId);
    return {
      jobId,
      jobKey: key.ok ? key.value : null,
      nodes: used.map(({ at }) => at),
      problem: key.ok ? null : key.error,
    };
  };
  return {
    // By code point: identifiers have no language (operator-ux §5.1).
    jobs: [...jobs].map(([jobId, used]) => row(jobId, used)).sort((a, b) => (a.jobId < b.jobId ? -1 : 1)),
    unreadable: networks.flatMap(({ networkId, nodes: all, problems: [problem] }) =>
      all.length > 0 || problem === undefined ? [] : [{ networkId, problem }],
    ),
  };
}
