import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { INPUT_RETENTION_DEFAULT_DAYS } from "../../../shared/domain/index.ts";
import { errorText, fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";

/** The two settings of file exchange as they were given (orchestration section 8.4). */
export interface IoSettings {
  /** `KSQL_FLOWNET_IO_DIR`; null where nobody named one. */
  readonly dir: string | null;
  /** `KSQL_FLOWNET_IO_RETENTION_DAYS`; null means the default. */
  readonly retentionDays: string | null;
}

/** The folder that holds `in` and `out`, found to be there. */
export interface IoRoot {
  /** As configured; this is what a child is told. */
  readonly dir: string;
  /** The same without links: nothing may lead out of it. */
  readonly realDir: string;
  readonly retentionDays: number;
}

const DAYS = /^[1-9]\d{0,6}$/;

/**
 * Checks the root and the retention setting (orchestration section 2.1 E4, section 8.4). The root itself may be a
 * link, for the owner of the host chose it. Errors: `IO_DIR_NOT_SET`, `IO_DIR_UNUSABLE`, `IO_RETENTION_INVALID`.
 */
export async function openIoRoot({ dir, retentionDays }: IoSettings): Promise<Result<IoRoot>> {
  if (dir === null || dir === "") return fail(NOT_SET);
  if (retentionDays !== null && retentionDays !== "" && !DAYS.test(retentionDays)) {
    return fail(RETENTION_INVALID);
  }
  const days = Number(retentionDays ?? 0) || INPUT_RETENTION_DEFAULT_DAYS;
  if (!path.isAbsolute(dir)) return fail(unusable(dir, "it is not an absolute path"));
  try {
    const realDir = await realpath(dir);
    if (!(await stat(realDir)).isDirectory()) return fail(unusable(dir, "it is not a folder"));
    return ok({ dir: path.normalize(dir), realDir, retentionDays: days });
  } catch (error) {
    return fail(unusable(dir, errorText(error)));
  }
}

const NOT_SET: Problem = {
  code: "IO_DIR_NOT_SET",
  message: "The network reads or writes CSV files and no folder for them is configured; nothing was started.",
  place: "environment KSQL_FLOWNET_IO_DIR",
  remedy:
    "Set KSQL_FLOWNET_IO_DIR to a folder; inputs are looked for in its in, outputs are put into its out.",
};

const RETENTION_INVALID: Problem = {
  code: "IO_RETENTION_INVALID",
  message:
    "The number of days for which input files are kept is not a positive whole number; nothing was started.",
  place: "environment KSQL_FLOWNET_IO_RETENTION_DAYS",
  remedy: `Write a number such as ${INPUT_RETENTION_DEFAULT_DAYS}, or leave the variable out.`,
};

const unusable = (dir: string, why: string): Problem => ({
  code: "IO_DIR_UNUSABLE",
  message: `The folder for CSV files cannot be used: ${why}. Nothing was started.`,
  place: "environment KSQL_FLOWNET_IO_DIR",
  remedy: "Name an absolute folder that is there and that this account may use.",
  details: { dir },
});
