import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import type { Audit } from "../audit/index.ts";
import type { SavedFiles } from "../saved-files.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** 監査履歴: read page by page; nothing here writes, not even that somebody looked (operator-ux D13). */
export const auditHandlers = (audit: Audit) => ({
  list: api.audit.list.handler(({ input, signal }) =>
    answering(async () => ok(await audit.list(input, signal))),
  ),
  entry: api.audit.entry.handler(({ input, signal }) => answering(() => audit.entry(input.key, signal))),
  chain: api.audit.chain.handler(() => answering(async () => ok(await audit.chain()))),
  export: api.audit.export.handler(({ input, signal }) =>
    answering(async () => ok(await audit.export(input.filter, input.format, signal))),
  ),
});

/** Parts of the files made for the operator to save. */
export const savedFileHandlers = (files: SavedFiles) => ({
  part: api.files.part.handler(({ input }) => files.part(input.fileId, input.index)),
  done: api.files.done.handler(({ input }) => {
    files.done(input.fileId);
    return ok(null);
  }),
});
