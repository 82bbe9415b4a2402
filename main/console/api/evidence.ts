import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { fail } from "../../../shared/domain/problem.ts";
import type { EvidenceUploads } from "../acting/index.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";
import { VIEW_ONLY } from "./gate.ts";
import type { ModeHolder } from "./mode.ts";

const api = implement(contract).$context<CallContext>();

/** Files given as proof. An old picture does not keep anybody from laying them ready; the mode for looking does. */
export const evidenceHandlers = (evidence: EvidenceUploads, mode: Pick<ModeHolder, "now">) => ({
  keep: api.evidence.keep.handler(({ input }) =>
    answering(async () => ((await mode.now()) === "view" ? fail(VIEW_ONLY) : evidence.keep(input))),
  ),
});
