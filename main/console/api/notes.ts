import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { Notes } from "../notes/index.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";
import type { ModeHolder } from "./mode.ts";

const api = implement(contract).$context<CallContext>();

const viewOnly: Problem = {
  code: "MODE_VIEW_ONLY",
  message: "This console is in the mode for looking; nothing was noted.",
  remedy: "Change to the mode for operating, if your role allows it.",
};

/** 対応中 and notes. They change no record, so an old picture does not stand in their way; the mode for looking does. */
export const notesHandlers = (notes: Notes, mode: Pick<ModeHolder, "now">) => {
  const changing = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    answering(async () => ((await mode.now()) === "view" ? fail(viewOnly) : work()));
  return {
    acknowledge: api.notes.acknowledge.handler(({ input }) =>
      changing(async () => ok(await notes.acknowledge(input.itemId, input.name, input.note))),
    ),
    release: api.notes.release.handler(({ input }) =>
      changing(async () => {
        await notes.release(input.itemId);
        return ok(null);
      }),
    ),
    list: api.notes.list.handler(({ input }) =>
      answering(async () => ok({ notes: await notes.list(input.runId) })),
    ),
    add: api.notes.add.handler(({ input }) => changing(async () => ok({ notes: await notes.add(input) }))),
    remove: api.notes.remove.handler(({ input }) =>
      changing(async () => ok({ notes: await notes.remove(input.runId, input.noteId) })),
    ),
  };
};
