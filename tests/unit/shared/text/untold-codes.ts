/** Codes that neither a page nor the opening of the window tells in words of the problem's own, and why. */
export interface Untold {
  readonly why: string;
  /** Folders and files that raise them; raised anywhere else, a code needs words or a reason of its own. */
  readonly places: readonly string[];
  readonly codes: readonly string[];
}

export const UNTOLD: readonly Untold[] = [
  {
    why: "Of the command line itself: its arguments, its end, the port it serves pages on, files it was given.",
    places: ["main/cli/", "main/loopback/", "tools/check-node.mjs"],
    codes: [
      "ABANDONED",
      "CONSOLE_ENDED_BY_FAULT",
      "CONSOLE_FAULT",
      "INVALID_ARGUMENTS",
      "NODE_VERSION",
      "PAGES_NOT_BUILT",
      "PLAN_FILE_UNREADABLE",
      "PLAN_OF_ANOTHER_OPERATION",
      "PORT_REFUSED",
      "REALIGN_NODE_FAILED",
      "REASON_FILE_UNREADABLE",
      "SETTLE_REQUEST_FAILED",
    ],
  },
  {
    why: "The window says it before there is a page, with the owner's facts (desktop.open.resident).",
    places: ["main/console/host-guard/", "main/desktop/resident-text.ts"],
    codes: ["RESIDENT_ALREADY_RUNNING", "RESIDENT_OWNER_UNKNOWN"],
  },
  {
    why: "Apps are set up in kintone by `flownet provision` alone.",
    places: ["main/console/provision-remote/"],
    codes: [
      "APP_AMBIGUOUS",
      "APP_CHANGED_MEANWHILE",
      "APP_CREATION_UNKNOWN",
      "APP_HAS_UNDEPLOYED_CHANGES",
      "APP_IDS_MISSING",
      "BASE_URL_INVALID",
      "DEPLOY_FAILED",
      "DEPLOY_UNFINISHED",
      "KINTONE_REFUSED",
    ],
  },
  {
    why: "A file with a plan, or a word for what became of a job lock, is given to commands alone.",
    places: [
      "shared/contract/operation-plan.ts",
      "main/orchestrator/recovery/record-job-unlock.ts",
      "main/cli/",
    ],
    codes: ["INVALID_LOCK_RECOVERY_RESULT", "OPERATION_PLAN_INVALID"],
  },
  {
    why: "Only a poller without a console demands that every definition is good before it begins.",
    places: ["main/console/request-poller/definitions.ts"],
    codes: ["NETWORK_ID_MISMATCH"],
  },
  {
    why: "A warning for the log; the clock's line of the check has words of its own (settings.check).",
    places: ["main/console/clock-guard.ts", "main/console/settings/check/clock-probe.ts", "main/cli/"],
    codes: ["CLOCK_OFF"],
  },
  {
    why: "Warnings for the log of the program: the work goes on.",
    places: ["main/process/process-manager.ts", "main/attempt/attempts.ts"],
    codes: ["CHILD_MAY_END_WITH_PROGRAM", "CONTROL_PIPE_UNAVAILABLE", "JOB_LOG_UPDATES_PENDING"],
  },
  {
    why: "The runner's own answer; the console tells it as JOB_LOCK_UNKNOWN.",
    places: ["main/job-runner/run/force-unlock.ts"],
    codes: ["LOCK_QUERY_UNAVAILABLE"],
  },
  {
    why: "Care of a local kintone's store: `flownet local-kintone` alone.",
    places: [
      "main/local-kintone/admin/",
      "main/local-kintone/storage/schema.ts",
      "main/cli/commands/provision.ts",
    ],
    codes: [
      "BACKUP_DAMAGED",
      "EXPORT_DAMAGED",
      "EXPORT_INVALID",
      "EXPORT_NEWER",
      "FOLDER_IN_USE",
      "LAYOUT_OLDER",
      "TARGET_EXISTS",
      "TARGET_FOLDER_MISSING",
      "TARGET_NOT_EMPTY",
    ],
  },
  {
    why: "Faults are put into a local kintone by tests and drills.",
    places: ["main/local-kintone/faults/"],
    codes: [
      "BARRIER_CLEARED",
      "BARRIER_NOT_REACHED",
      "CRASH_NEEDS_PROCESS",
      "FAULT_ACTION_REFUSED",
      "FAULT_CONTROL_FAILED",
      "FAULT_REQUEST_INVALID",
      "FAULT_RULES_INVALID",
      "FAULT_RULE_EXISTS",
      "SNAPSHOT_NEEDS_FILE",
      "SNAPSHOT_UNKNOWN",
    ],
  },
  {
    why: "A local kintone is set up with what this program brings, on a port only a command asks for.",
    places: [
      "main/local-kintone/fields/",
      "main/local-kintone/process/",
      "main/local-kintone/provision.ts",
      "main/local-kintone/serve-main.ts",
      "main/local-kintone/storage/",
      "main/local-kintone/admin/folder.ts",
      "main/console/open-workspace.ts",
    ],
    codes: [
      "APP_NAME_INVALID",
      "CONTROL_REQUEST_INVALID",
      "FIELD_INVALID",
      "LOCAL_FORMULA_UNSUPPORTED",
      "OPTION_INVALID",
      "OPTION_MISSING",
      "PORT_ALREADY_CHOSEN",
      "RECORDS_REFUSED",
      "SERVER_ENDING",
      "TOKEN_INVALID",
      "WORKSPACE_NAME_INVALID",
      "WORKSPACE_UNKNOWN",
    ],
  },
  {
    why: "Drills are run by commands alone.",
    places: ["main/drills/", "main/cli/commands/drill-retry-boundaries.ts"],
    codes: ["DRILL_FOLDER_MISSING", "OUTPUT_EXISTS", "OUTPUT_PARENT_MISSING"],
  },
];
