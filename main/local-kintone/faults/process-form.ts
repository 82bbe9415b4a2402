import { randomBytes } from "node:crypto";
import { appendFileSync, chmodSync, closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { Clock } from "../model.ts";
import { kintonePaths, writeAtomically } from "../process/server-file.ts";
import { startFaultControl } from "./control.ts";
import { controlFileSchema, type FaultControlFile } from "./control-contract.ts";
import type { Faults } from "./faults.ts";
import type { FaultOptions } from "./options.ts";
import { type FaultRuleSet, ruleSetSchema } from "./rule-schema.ts";

/** Faults of a server that is a process of its own. */
export interface FaultStart {
  /** Rules in force from the start (`LOCAL_KINTONE_FAULT_RULES`); others end with the process. */
  readonly rulesFile: string | null;
  /** File the journal is appended to as JSON lines, mode 0600. */
  readonly journalFile: string | null;
}

/** Reads a file of rules; throws FlowError `FAULT_RULES_INVALID`. */
export function readRulesFile(path: string): FaultRuleSet {
  try {
    return ruleSetSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new FlowError(
      {
        code: "FAULT_RULES_INVALID",
        message: `The fault rules cannot be read: ${error instanceof z.ZodError ? z.prettifyError(error) : "no JSON file"}.`,
        place: path,
        remedy: "Correct the file; docs/local-kintone-faults.md shows every rule.",
      },
      error,
    );
  }
}

/** The options of a server process. A crash is a real one: `kill -9` on itself (F29). */
export function faultOptions(
  { rulesFile, journalFile }: FaultStart,
  clock: Clock,
  log: (line: string) => void,
): FaultOptions {
  if (journalFile !== null) {
    closeSync(openSync(journalFile, "a", 0o600));
    chmodSync(journalFile, 0o600);
  }
  return {
    clock,
    crash: () => process.kill(process.pid, "SIGKILL"),
    ...(rulesFile === null ? {} : { rules: readRulesFile(rulesFile) }),
    ...(journalFile === null ? {} : { appendJournal: appender(journalFile, log) }),
  };
}

/** A journal that cannot be written must not make requests fail; the log says so, once. */
function appender(path: string, log: (line: string) => void): (line: string) => void {
  let isTold = false;
  return (line) => {
    try {
      appendFileSync(path, line);
    } catch (error) {
      if (!isTold) log(`the fault journal cannot be written: ${error instanceof Error ? error.message : ""}`);
      isTold = true;
    }
  };
}

/** Opens the control port of a data folder's server and tells it in `kintone/control.json`. */
export async function openFaultControl(faults: Faults, dataDir: string): Promise<{ close(): Promise<void> }> {
  const path = kintonePaths(dataDir).faultControl;
  const token = randomBytes(32).toString("base64url");
  const server = await startFaultControl(faults, { token });
  const file: FaultControlFile = {
    kind: "LOCAL_KINTONE_FAULT_CONTROL",
    formatVersion: 1,
    pid: process.pid,
    port: server.port,
    token,
  };
  writeAtomically(path, file);
  return {
    async close() {
      rmSync(path, { force: true });
      await server.close();
    },
  };
}

/** Where the faults of a data folder's server are controlled; null when it has no control port. */
export function readFaultControl(dataDir: string): FaultControlFile | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(kintonePaths(dataDir).faultControl, "utf8"));
    return controlFileSchema.safeParse(parsed).data ?? null;
  } catch {
    return null;
  }
}
