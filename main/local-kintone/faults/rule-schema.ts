import { z } from "zod";
import { effectSchema } from "./effect-schema.ts";
import { matchSchema, whenSchema } from "./match-schema.ts";

const ruleId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);

/** One rule: pure data, so that a drill can keep it in a file (kintone-rest §19). */
export const ruleSchema = z
  .strictObject({
    /** Names the rule and its barrier; unique among the rules in force. */
    id: ruleId,
    match: matchSchema.default({}),
    when: whenSchema.default({}),
    effect: effectSchema,
  })
  .refine(
    ({ effect, match }) =>
      effect.kind !== "block" ||
      effect.how !== "refuse" ||
      (effect.calls === "all" && Object.keys(match).every((key) => key === "client")),
    'a block by "refuse" closes a port: it may name a client and nothing else',
  );

/** Rules with the seed their chances are drawn from: the body of an addition, and a file loaded at the start. */
export const ruleSetSchema = z.strictObject({
  kind: z.literal("LOCAL_KINTONE_FAULT_RULES"),
  formatVersion: z.literal(1),
  /** One per drill; the journal records it. */
  seed: z.number().int().nonnegative().max(0xffffffff).optional(),
  rules: z.array(ruleSchema).max(200),
});

export type FaultRule = z.output<typeof ruleSchema>;
export type FaultRuleInput = z.input<typeof ruleSchema>;
export type FaultRuleSet = z.output<typeof ruleSetSchema>;
