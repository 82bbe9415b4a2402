import type { LoneWrite } from "../../main/store/ports.ts";
import type { RecordRef } from "../../shared/domain/model.ts";
import { html, json } from "./bad-line.ts";
import type { Fault } from "./fault-proxy.ts";

/** What may befall a write of one record that is applied once all the same: its name, the fault, how often. */
export const SETTLED_FAULTS: readonly (readonly [string, Fault, number])[] = [
  ["the answer is lost after the commit", { kind: "lose-answer" }, 1],
  ["the body is cut", { kind: "cut-body" }, 1],
  ["the request is lost twice", { kind: "lose-request" }, 2],
  ["the request arrives twice", { kind: "duplicate" }, 1],
  ["a gateway page hides the commit", { kind: "replace", status: 502, body: html, type: "text/html" }, 1],
  ["an empty 200 hides the commit", { kind: "replace", status: 200, body: "" }, 1],
  ["kintone is overloaded", { kind: "answer", status: 429, body: json("GAIA_TO04") }, 2],
  ["the lock failure code without a change", { kind: "answer", status: 400, body: json("GAIA_DA02") }, 1],
];

/** Ref of a write that must be applied. */
export async function refOf(outcome: Promise<LoneWrite>): Promise<RecordRef> {
  const settled = await outcome;
  if (settled.kind !== "applied") throw new Error(settled.problem.message);
  return settled.ref;
}
