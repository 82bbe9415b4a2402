import { z } from "zod";
import { problemSchema } from "./control-contract.ts";

/** What a started server tells its starter, once. */
export const startMessageSchema = z.discriminatedUnion("outcome", [
  z.object({ kind: z.literal("LOCAL_KINTONE_START"), outcome: z.literal("listening") }),
  /** Another server owns the folder; it may still be starting, or ending. */
  z.object({ kind: z.literal("LOCAL_KINTONE_START"), outcome: z.literal("taken") }),
  z.object({
    kind: z.literal("LOCAL_KINTONE_START"),
    outcome: z.literal("failed"),
    problem: problemSchema.shape.problem,
  }),
]);
export type StartMessage = z.input<typeof startMessageSchema>;
