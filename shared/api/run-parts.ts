import { oc } from "@orpc/contract";
import { z } from "zod";
import { TRIGGER_RULES } from "../domain/model.ts";
import { answer, identifier, isoTime } from "./result.ts";
import { attemptFacts } from "./runs.ts";

const definitionNode = z.object({
  id: z.string(),
  jobId: z.string(),
  dependsOn: z.array(z.string()).readonly(),
  triggerRule: z.enum(TRIGGER_RULES),
  idempotent: z.boolean(),
  inputs: z.array(z.string()).readonly(),
  outputs: z.array(z.string()).readonly(),
});
export type DefinitionNode = z.infer<typeof definitionNode>;

/** What a Run was started with: read from its own stored bundle, proven by the hashes of its record. */
const runDefinition = z.object({
  runId: z.string(),
  networkId: z.string(),
  description: z.string().nullable(),
  nodes: z.array(definitionNode).readonly(),
  bundleSha256: z.string(),
  definitionSha256: z.string(),
});
export type RunDefinition = z.infer<typeof runDefinition>;

/** What the attempt journal of this host knows of an attempt (decisions §3); evidence, never above the records. */
export const attemptEvidence = z.object({
  attemptId: z.string(),
  /** Null when this host's journal does not know the attempt: another host ran it, or the journal is gone. */
  host: z.string().nullable(),
  /** The same host and the same boot as now: only then does the process id mean anything. */
  thisHostAndBoot: z.boolean(),
  mayBeIncomplete: z.boolean(),
  pid: z.number().int().nullable(),
  processStart: isoTime.nullable(),
  image: z.string().nullable(),
  exitedAt: isoTime.nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  forced: z.boolean(),
  launchFailure: z.string().nullable(),
  /** Hash of the result file as it was read; null when there was none. */
  resultSha256: z.string().nullable(),
  /** The outcome is in the store; null before. */
  stored: z.boolean().nullable(),
});
export type AttemptEvidenceFacts = z.infer<typeof attemptEvidence>;

/** Attempts of one answer at most; one of long messages holds fewer. */
export const ATTEMPTS_MAX = 200;

export const attemptPage = z.object({
  /** By `$id`, ascending. */
  attempts: z.array(attemptFacts).readonly(),
  /** `recordId` of the last one, to ask for the next page with; null when this was the last page. */
  next: z.string().nullable(),
  /** All that there are, of the node or of the Run. */
  total: z.number().int(),
  /** When the records these are from were read. */
  readAt: isoTime,
});
export type AttemptPage = z.infer<typeof attemptPage>;

const attemptsInput = z.strictObject({
  runId: identifier,
  /** Only those of one node. */
  nodeId: identifier.optional(),
  /** `recordId` of the last attempt of the page before. */
  after: z.string().regex(/^\d+$/).max(20).optional(),
});

/** The parts of a Run that are read when they are looked at. */
export const runPartsContract = {
  definition: oc.input(z.strictObject({ runId: identifier })).output(answer(runDefinition)),
  /** A page of attempts out of the reading behind the last `runs.detail`: it costs the kintone nothing. */
  attempts: oc.input(attemptsInput).output(answer(attemptPage)),
  evidence: oc.input(z.strictObject({ attemptId: identifier })).output(answer(attemptEvidence)),
};
