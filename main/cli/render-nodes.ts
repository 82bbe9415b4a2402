import type { NodeEnd, RunNetworkResult } from "../orchestrator/index.ts";
import { shown } from "./shown.ts";

/** More nodes than this say nothing new on a terminal; the status lists them all. */
const MOST_NODES = 20;
/** Longest message of an attempt, in code points. */
const LONGEST_MESSAGE = 300;

/**
 * What stderr says of a Run that did not end in SUCCESS: each failed, unknown, cancelled or waiting node with its
 * code and what its attempt said, and where to see the rest. Empty when no Run was left.
 */
export function nodesText({ runId, networkId, nodes }: RunNetworkResult): string {
  if (runId === null) return "";
  const told = nodes.filter(({ status }) => status !== "BLOCKED");
  const blocked = nodes.length - told.length;
  const lines = told.slice(0, MOST_NODES).map(nodeLine);
  if (told.length > MOST_NODES) lines.push(`… and ${told.length - MOST_NODES} more`);
  if (blocked > 0) lines.push(`${blocked} node(s) BLOCKED behind them`);
  if (networkId !== null) lines.push(`  see: flownet status ${networkId} --run-id ${runId}`);
  return lines.map((line) => `${line}\n`).join("");
}

function nodeLine({ nodeId, status, code, message }: NodeEnd): string {
  const said = message === null ? "" : `: ${firstLine(message)}`;
  return `Node ${nodeId} ${status}${code === null ? "" : ` [${code}]`}${said}`;
}

/**
 * The first line of a foreign text, bounded. What a terminal would obey instead of show is written as its code
 * point: a message must not move the cursor or turn the reading direction.
 */
export function firstLine(text: string): string {
  const line = text.split(/[\r\n\u0085\u2028\u2029]/u).find((part) => part.trim() !== "") ?? "";
  const points = [...line.trim()];
  const bounded = points.length > LONGEST_MESSAGE ? [...points.slice(0, LONGEST_MESSAGE), "…"] : points;
  return shown(bounded.join(""));
}
