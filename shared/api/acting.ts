import { oc } from "@orpc/contract";
import { z } from "zod";
import { operationPlanSchema } from "../contract/operation-plan.ts";
import { intent } from "./acting-intent.ts";
import { answer, isoTime } from "./result.ts";

/** What a confirmation asks for beyond the fields of its form (operator-ux §2.1). */
export const friction = z.object({
  /** Typed character by character, exactly; null where nothing is typed (operator-ux D4). */
  identifier: z.string().nullable(),
  /** Milliseconds between the dialog being complete and the button working. */
  armMs: z.number().int(),
  /** Another person's consent, or a recorded break-glass (operator-ux §2.4). */
  secondPerson: z.boolean(),
  /** The sentence a break-glass asks for, word by word, in the window's language; null where none is asked. */
  breakGlassSentence: z.object({ ja: z.string(), en: z.string() }).nullable(),
});
export type Friction = z.infer<typeof friction>;
export type BreakGlassSentence = NonNullable<Friction["breakGlassSentence"]>;

const plannedAction = z.object({ plan: operationPlanSchema, friction, readAt: isoTime });
export type PlannedAction = z.infer<typeof plannedAction>;

/** Whose consent comes with a confirmation. The passphrase is compared and forgotten; it is never kept or told. */
export const consent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({
    kind: z.literal("person"),
    account: z.string().min(1).max(200),
    passphrase: z.string().min(1).max(1000),
  }),
  z.strictObject({ kind: z.literal("breakGlass"), sentence: z.string().max(500) }),
]);
export type Consent = z.infer<typeof consent>;

const executeInput = z.strictObject({
  operationId: z.uuid(),
  intent,
  /** Of the plan the operator saw: records and their text in one, refused when the world moved (operator-ux D6). */
  seen: z.record(z.string(), z.strictObject({ recordId: z.string(), revision: z.number().int() }).nullable()),
  fingerprint: z.string().min(1).max(200),
  /** What was typed where {@link friction} asks for an identifier. */
  typed: z.string().max(1000),
  consent,
});
export type ActionExecute = z.infer<typeof executeInput>;

/**
 * Everything that acts, planned and executed (architecture §4, "A click"). A plan writes nothing (operator-ux D13). An
 * execution is accepted and then followed by its id through `operations.get` and the live news; asked again with the same
 * id it changes nothing (electron-desktop I5).
 */
export const actingContract = {
  plan: oc.input(z.strictObject({ intent })).output(answer(plannedAction)),
  execute: oc.input(executeInput).output(answer(z.object({ operationId: z.string(), acceptedAt: isoTime }))),
};
