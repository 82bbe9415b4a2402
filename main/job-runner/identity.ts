/** Who this runner is (execution-contract §2.1, §10): the contract level it keeps, and its own name and version. */
export const KSQL_FLOW_VERSION = "0.9.0";
export const ENGINE_VERSION = "flownet-job-runner 0.1.0";
