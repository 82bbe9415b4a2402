import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import type { Bundles } from "../bundle/index.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** 証跡を保存, 診断一式を保存: they only read, so every mode may. */
export const bundleHandlers = (bundles: Bundles) => ({
  run: api.bundle.run.handler(({ input, signal }) => answering(() => bundles.run(input.runId, signal))),
  diagnosis: api.bundle.diagnosis.handler(({ signal }) => answering(() => bundles.diagnosis(signal))),
});
