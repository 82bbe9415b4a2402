import { implement } from "@orpc/server";
import { type CheckEvent, contract, type SettingsView } from "../../../shared/api/index.ts";
import { FlowError, ok, type Result } from "../../../shared/domain/problem.ts";
import type { SettingsHost } from "../settings/index.ts";
import { answering, problemFrom } from "./answers.ts";
import type { CallContext, HandlerDeps } from "./deps.ts";

const api = implement(contract).$context<CallContext>();

/** The settings of this host. What a role does not allow is refused behind these, in the settings themselves. */
export const settingsHandlers = (deps: HandlerDeps) => ({
  get: api.settings.get.handler(() => changing(deps, async () => undefined)),
  save: api.settings.save.handler(({ input }) =>
    changing(deps, (settings) => settings.save(input.revision, input.settings)),
  ),
  saveRoles: api.settings.saveRoles.handler(({ input }) =>
    changing(deps, (settings) => settings.saveRoles(input.revision, input.roles, deps.recordRoles)),
  ),
  setToken: api.settings.setToken.handler(({ input }) =>
    changing(deps, (settings) => settings.setToken(input.connectionId, input.slot, input.token)),
  ),
  removeToken: api.settings.removeToken.handler(({ input }) =>
    changing(deps, (settings) => settings.removeToken(input.connectionId, input.slot)),
  ),
  check: api.settings.check.handler(({ input, signal, context }) =>
    checkEvents(deps, input.connectionId, signal ?? new AbortController().signal, context),
  ),
});

/** A change and what stands after it, in one answer: nothing is shown that was not read back. */
const changing = (
  deps: HandlerDeps,
  change: (settings: SettingsHost) => Promise<void>,
): Promise<Result<SettingsView>> =>
  answering(async () => {
    const settings = hostOf(deps);
    await change(settings);
    return ok(await settings.view());
  });

async function* checkEvents(
  deps: HandlerDeps,
  connectionId: string,
  signal: AbortSignal,
  { writable }: CallContext,
): AsyncGenerator<CheckEvent> {
  // A reader that leaves ends the look at once, which its signal alone would not while nothing is sent.
  const ended = new AbortController();
  try {
    const events = hostOf(deps).check(connectionId, AbortSignal.any([signal, ended.signal]));
    for await (const event of events) {
      await writable();
      yield event;
    }
  } catch (cause) {
    const { code, message } = problemFrom(cause);
    yield { kind: "refused", code, message };
  } finally {
    ended.abort();
  }
}

function hostOf({ workspace }: HandlerDeps): SettingsHost {
  if (workspace.settings !== undefined) return workspace.settings;
  throw new FlowError({
    code: "SETTINGS_NOT_HERE",
    message: "This workspace was opened without the settings of a data folder.",
    remedy: "Open the console over a data folder.",
  });
}
