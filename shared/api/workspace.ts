import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer } from "./result.ts";

export const MODES = ["view", "operate", "approve"] as const;

export const workspaceInfo = z.object({
  kind: z.enum(["embedded", "configured"]),
  profile: z.string(),
  baseUrl: z.string(),
  host: z.string(),
  requestedBy: z.string(),
  /** The one zone of the whole window (operator-ux §1.1), IANA name. */
  timeZone: z.string(),
  mode: z.enum(MODES),
});
export type WorkspaceInfo = z.infer<typeof workspaceInfo>;

/** Where one works, as whom and in which zone. */
export const workspaceContract = {
  get: oc.input(z.strictObject({})).output(answer(workspaceInfo)),
};
