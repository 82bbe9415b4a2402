import { overLimit, refusal, refusalError, statusAnswer } from "./answers.ts";
import type { FaultEffect } from "./effect-schema.ts";
import { type Early, lineFault, type Passage, type PipelineTools, takeRules } from "./passage.ts";
import type { Firing } from "./rule-book.ts";
import { isWrite } from "./subject.ts";

/** How many requests are inside each concurrency rule. */
export type Inside = Map<string, number>;

function enter(
  { wording }: PipelineTools,
  passage: Passage,
  gate: { readonly id: string; readonly limit: number; readonly inside: Inside },
): Early {
  const { id, limit, inside } = gate;
  const running = inside.get(id) ?? 0;
  if (running >= limit) {
    const answer = refusal(overLimit(), passage.request, passage.subject, { index: null, wording });
    const headers = {
      "X-ConcurrencyLimit-Limit": String(limit),
      "X-ConcurrencyLimit-Running": String(running + 1),
    };
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  inside.set(id, running + 1);
  passage.finally.push(() => inside.set(id, (inside.get(id) ?? 1) - 1));
  return null;
}

/** The concurrency gates of a request; it is inside each until it ends (F11). */
export function enterGates(tools: PipelineTools, passage: Passage, inside: Inside): Early {
  for (const { rule } of takeRules(tools, passage, "entry")) {
    const { effect, id } = rule;
    const early =
      effect.kind === "concurrency" ? enter(tools, passage, { id, limit: effect.limit, inside }) : null;
    if (early !== null) return early;
  }
  return null;
}

function answerOf({ wording }: PipelineTools, passage: Passage, { rule, part }: Firing): Early {
  const { request, subject } = passage;
  const { effect } = rule;
  switch (effect.kind) {
    case "lose-request":
      return lineFault({ kind: "reset" });
    case "block":
      return lineFault({ kind: effect.how === "black-hole" ? "silent" : "reset" });
    case "status":
      return statusAnswer(effect, request, wording);
    case "refuse":
      return refusal(refusalError(effect), request, subject, { index: part.index, wording });
    default:
      return null;
  }
}

/** What ends a request before anything is executed, or null (F4, F7, F10, F13, F14, F23-F25). */
export function stopBefore(tools: PipelineTools, passage: Passage): Early {
  const applies = (effect: FaultEffect): boolean => {
    if (effect.kind !== "block" || effect.calls === "all") return true;
    return (effect.calls === "writes") === isWrite(passage.subject);
  };
  const [firing] = takeRules(tools, passage, "gate", applies);
  return firing === undefined ? null : answerOf(tools, passage, firing);
}
