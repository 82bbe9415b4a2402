import { negotiateLocale } from "../api/locale.ts";
import { errorBody } from "../api/respond.ts";
import type { KintoneResponse } from "../model.ts";
import { refusalError } from "./answers.ts";
import type { EffectOf } from "./effect-schema.ts";
import { type Passage, type PipelineTools, takeRules } from "./passage.ts";
import { abortSearch, asLockFailure, malform, suits, turnBytes } from "./reshape.ts";
import type { Firing } from "./rule-book.ts";
import { draw } from "./schedule.ts";

function loser(
  tools: PipelineTools,
  passage: Passage,
  response: KintoneResponse,
  { rule, counts }: Firing,
  { code }: EffectOf<"revision-loser">,
): KintoneResponse {
  const isDrawn = code === "alternate" && draw(tools.seed(), rule.id, "loser", counts.met) < 0.5;
  if (code !== "GAIA_DA02" && !isDrawn) return response;
  const error = refusalError({ code: "GAIA_DA02" });
  const locale = negotiateLocale(passage.request.headers["accept-language"], tools.wording.fallback);
  return asLockFailure(response, error.status, errorBody(error, locale, tools.wording.ids));
}

/** The answer as the rules make it look (F12, F24, F26, F27). */
export function reshape(tools: PipelineTools, passage: Passage, response: KintoneResponse): KintoneResponse {
  let shaped = response;
  for (const firing of takeRules(tools, passage, "answer", (effect) => suits(effect, shaped))) {
    const { effect } = firing.rule;
    if (effect.kind === "revision-loser") shaped = loser(tools, passage, shaped, firing, effect);
    if (effect.kind === "wrong-bytes") shaped = turnBytes(shaped);
    if (effect.kind === "abort-search") shaped = abortSearch(shaped, effect.keep);
    if (effect.kind === "malformed") shaped = malform(shaped, effect);
  }
  return shaped;
}

/** The answer with what happens to it on its way (F5, F6, F9). */
export function onLine(tools: PipelineTools, passage: Passage, response: KintoneResponse): KintoneResponse {
  const [firing] = takeRules(tools, passage, "line");
  const effect = firing?.rule.effect;
  if (effect?.kind === "lose-response") return { ...response, delivery: { kind: "reset" } };
  if (effect?.kind === "cut-response") {
    const bytes = Math.floor(Buffer.byteLength(response.body) * effect.keep);
    return { ...response, delivery: { kind: "cut", bytes } };
  }
  if (effect?.kind !== "slow-body") return response;
  const pause = (): Promise<void> => tools.pause(effect.pauseMs);
  return { ...response, delivery: { kind: "slow", chunkBytes: effect.chunkBytes, pause } };
}
