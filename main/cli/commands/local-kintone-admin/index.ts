import type { Command } from "../../command.ts";
import { localKintoneBackup } from "./backup.ts";
import { localKintoneCheck } from "./check.ts";
import { localKintoneCompact } from "./compact.ts";
import { localKintoneCreateApps } from "./create-apps.ts";
import { localKintoneExport } from "./export.ts";
import { localKintoneImport } from "./import.ts";
import { localKintoneStatus } from "./status.ts";
import { localKintoneStop } from "./stop.ts";

/** What is done with the files and the server of the local kintone beside serving it. */
export const LOCAL_KINTONE_ADMIN: readonly Command[] = [
  localKintoneCreateApps,
  localKintoneExport,
  localKintoneImport,
  localKintoneBackup,
  localKintoneCheck,
  localKintoneCompact,
  localKintoneStatus,
  localKintoneStop,
];
