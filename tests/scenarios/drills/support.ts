import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalMode, SuiteName } from "../../../main/drills/retry-boundaries/cases/model.ts";
import { type RunOutcome, runExperiment } from "../../../main/drills/retry-boundaries/controller/run.ts";
import {
  type Manifest,
  manifestSchema,
} from "../../../main/drills/retry-boundaries/documents/manifest-schema.ts";
import {
  type Observation,
  observationSchema,
} from "../../../main/drills/retry-boundaries/documents/observation-schema.ts";
import {
  type Results,
  resultsSchema,
} from "../../../main/drills/retry-boundaries/documents/results-schema.ts";
import { type CommandEnd, flownet } from "../../support/flownet-command.ts";

/** The last line of a run of A to G in which everything agreed, byte by byte (retry-boundaries §2). */
export const COMPLETE_LINE = '{"status":"COMPLETE","casesCompleted":7,"casesPlanned":7,"failure":null}\n';

export interface Scratch {
  readonly path: (name: string) => string;
  /** A copy of a folder, to be tampered with. */
  readonly copyOf: (folder: string, name: string) => string;
  readonly dispose: () => void;
}

/** A place for output folders, with a space and Japanese characters in its path (RB-A10). */
export function createScratch(): Scratch {
  const root = mkdtempSync(join(tmpdir(), "再処理 drill-"));
  return {
    path: (name) => join(root, name),
    copyOf: (folder, name) => {
      cpSync(folder, join(root, name), { recursive: true });
      return join(root, name);
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Runs the experiment through the real command. */
export function drill(output: string, suite: SuiteName, mode: JournalMode): Promise<CommandEnd> {
  return flownet(["drill", "retry-boundaries", "--output", output, "--suite", suite, "--journal", mode]);
}

/** Runs the real controller with a child program that is broken on purpose. */
export function drillWith(
  brokenChild: string,
  output: string,
  more: { readonly suite?: SuiteName; readonly mode?: JournalMode; readonly childMs?: number } = {},
): Promise<RunOutcome> {
  const { suite = "A-G", mode = "delete", childMs = 30_000 } = more;
  return runExperiment({
    output,
    suite,
    journalMode: mode,
    applicationVersion: "test",
    signal: new AbortController().signal,
    onStderr: () => undefined,
    now: () => new Date(),
    file: {
      node: process.execPath,
      program: join(import.meta.dirname, "broken-children", `${brokenChild}.ts`),
    },
    limits: { childMs, runMs: 60_000 },
  });
}

const json = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));

export const readManifest = (folder: string): Manifest => manifestSchema.parse(json(folder, "manifest.json"));
export const readResults = (folder: string): Results => resultsSchema.parse(json(folder, "results.json"));

/** Every whole line of the observations. */
export function readObservations(folder: string): readonly Observation[] {
  const parts = readFileSync(join(folder, "observations.jsonl"), "utf8").split("\n").slice(0, -1);
  return parts.map((part) => observationSchema.parse(JSON.parse(part)));
}
