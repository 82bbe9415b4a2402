import type { AppSlot, ConnectionSettings } from "../../../shared/api/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { AppAccess, Connection } from "../environment.ts";
import { runnerVariableNames } from "../runner-config.ts";
import { reachOf, type SystemProxy } from "./reach.ts";
import type { SecretStore } from "./secret-store.ts";
import { secretName } from "./token-slots.ts";

export interface SettingsConnection {
  readonly connection: Connection;
  /** Values of the variables the runner's configuration names. */
  readonly runnerTokens: Readonly<Record<string, string>>;
}

/**
 * A connection of the settings, with its tokens, ready to be worked on. Errors as `FlowError`: `TOKEN_MISSING` (all
 * names at once), `KSQL_CONFIG_UNREADABLE`, and those of the certificate file.
 */
export async function connectionFromSettings(
  settings: ConnectionSettings,
  secrets: SecretStore,
  systemProxy: SystemProxy,
): Promise<SettingsConnection> {
  const missing: string[] = [];
  const tokenOf = async (slot: string): Promise<string> => {
    const token = await secrets.get(secretName(settings.id, slot));
    if (token === null) missing.push(slot);
    return token ?? "";
  };
  const access = async (slot: AppSlot, appId: number): Promise<AppAccess> => ({
    appId,
    token: await tokenOf(slot),
  });
  const { apps, runner } = settings;
  const reach = await reachOf(settings, systemProxy);
  const connection: Connection = {
    profile: settings.profile,
    baseUrl: settings.baseUrl.replace(/\/+$/, ""),
    state: await access("state", apps.state),
    audit: await access("audit", apps.audit),
    jobLog: await access("jobLog", apps.jobLog),
    request: apps.request === null ? null : await access("request", apps.request),
    allowListPath: settings.allowListPath,
    runner,
    reach,
    settingsId: settings.id,
  };
  const names = await runnerVariableNames(runner.configPath);
  const values: [string, string][] = [];
  for (const name of names) values.push([name, await tokenOf(`runner/${name}`)]);
  if (missing.length > 0) throw new FlowError(tokenMissing(settings, missing));
  return { connection, runnerTokens: Object.fromEntries(values) };
}

const tokenMissing = ({ id, name }: ConnectionSettings, slots: readonly string[]) => ({
  code: "TOKEN_MISSING",
  message: `The connection "${name}" lacks tokens that can be read here: ${slots.join(", ")}.`,
  place: `settings connections.${id}`,
  remedy: "Enter them in the settings of this connection.",
  details: { slots },
});
