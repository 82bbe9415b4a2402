import type { KintoneResponse } from "../model.ts";
import { enterGates, type Inside, stopBefore } from "./gates.ts";
import { type Early, type Passage, type PipelineTools, takeRules } from "./passage.ts";
import { isSuccess, suits } from "./reshape.ts";
import { onLine, reshape } from "./spoil.ts";
import { passAll } from "./stand-still.ts";
import { writesRecords } from "./subject.ts";
import { onTrial } from "./trial.ts";

export interface Pipeline {
  run(passage: Passage): Promise<KintoneResponse>;
}

/** F3: a request whose checks fail is answered at once and meets no barrier. */
async function between(tools: PipelineTools, passage: Passage): Promise<Early> {
  const { book, core } = tools;
  if (!book.concerns("between", passage.subject)) return null;
  // Whatever checks nothing and writes no record is held as before its start.
  if (writesRecords(passage.subject)) {
    const tried = await core.serve(passage.request, onTrial(core.services()));
    if (!isSuccess(tried)) return tried;
  }
  return passAll(tools, passage, takeRules(tools, passage, "between"));
}

async function execute(tools: PipelineTools, passage: Passage): Promise<KintoneResponse> {
  const [twice] = takeRules(tools, passage, "delivery");
  const first = await tools.core.serve(passage.request);
  if (twice?.rule.effect.kind !== "duplicate") return first;
  const second = await tools.core.serve(passage.request);
  return twice.rule.effect.answer === "first" ? first : second;
}

/** Creates the way of a request through the rules (kintone-rest §19). */
export function createPipeline(tools: PipelineTools): Pipeline {
  const inside: Inside = new Map();
  return {
    async run(passage) {
      const stopped =
        enterGates(tools, passage, inside) ??
        (await passAll(tools, passage, takeRules(tools, passage, "before"))) ??
        stopBefore(tools, passage) ??
        (await between(tools, passage));
      if (stopped !== null) {
        return stopped.delivery === undefined ? onLine(tools, passage, stopped) : stopped;
      }
      const response = await execute(tools, passage);
      const after = takeRules(tools, passage, "after", (effect) => suits(effect, response));
      const late = await passAll(tools, passage, after);
      return onLine(tools, passage, late ?? reshape(tools, passage, response));
    },
  };
}
