/** Polling the request app of a workspace: whether, how, and through what (orchestration section 7). */
export { consolePolling, type PollDecision, pollDecisionFor, requireRequests } from "./decide.ts";
export { requireDefinitions } from "./definitions.ts";
export { type WorkspacePollerOptions, workspacePollerDeps } from "./deps.ts";
export { type PollOptions, pollOptions } from "./options.ts";
export { startWorkspacePoller } from "./resident.ts";
