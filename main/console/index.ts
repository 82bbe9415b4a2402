/** The composition root: workspaces, the console API over them, and where data lives. */

export {
  type ConsoleApiDeps,
  type ConsoleApiHost,
  createConsoleApi,
  type ServedPort,
  waitOrAbort,
} from "./api/index.ts";
export { readAttentionOnce } from "./attention/once.ts";
export { clockFor, systemClock } from "./clock.ts";
export { type CreatedApps, createdAppsSchema, createLocalApps } from "./create-apps.ts";
export { defaultDataDir, writePrivateFile } from "./data-dir.ts";
export { EMBEDDED_PROFILE } from "./embedded.ts";
export { isConfigured } from "./environment.ts";
export {
  type HostGuard,
  ownerLine,
  type ResidentFront,
  type ResidentOwner,
  takeHostGuard,
} from "./host-guard/index.ts";
export { type OpenOptions, openEmbedded, openWorkspace } from "./open-workspace.ts";
export type * from "./ports.ts";
export { createProgramLog, errorFields, type ProgramLog, watchFaults } from "./program-log/index.ts";
export {
  createSettingsClient,
  environmentText,
  type ProvisionReport,
  provisionRemote,
  provisionReportSchema,
  reportText as provisionReportText,
  type SetUpAuth,
} from "./provision-remote/index.ts";
export {
  consolePolling,
  type PollDecision,
  type PollOptions,
  pollDecisionFor,
  pollOptions,
  requireDefinitions,
  requireRequests,
  startWorkspacePoller,
  workspacePollerDeps,
} from "./request-poller/index.ts";
export { type Retention, startRetention } from "./retention/index.ts";
export type { OpenedWorkspace } from "./workspace.ts";
