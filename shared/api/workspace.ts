import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer } from "./result.ts";

export const MODES = ["view", "operate", "approve"] as const;
export type Mode = (typeof MODES)[number];
/** What the records of a workspace are for; each has a colour of its own (screens, Frame). */
const PURPOSES = ["local", "production", "drill"] as const;

export const workspaceInfo = z.object({
  kind: z.enum(["embedded", "configured"]),
  purpose: z.enum(PURPOSES),
  profile: z.string(),
  baseUrl: z.string(),
  host: z.string(),
  requestedBy: z.string(),
  /** The one zone of the whole window (operator-ux §1.1), IANA name. */
  timeZone: z.string(),
  mode: z.enum(MODES),
  /** The modes this account may choose; decided and enforced in main. */
  modes: z.array(z.enum(MODES)).readonly(),
});
export type WorkspaceInfo = z.infer<typeof workspaceInfo>;

/** Where one works, as whom, in which zone and mode. A mode holds for every window of this console. */
export const workspaceContract = {
  get: oc.input(z.strictObject({})).output(answer(workspaceInfo)),
  setMode: oc.input(z.strictObject({ mode: z.enum(MODES) })).output(answer(workspaceInfo)),
};
