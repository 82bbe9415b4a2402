import { systemClock } from "./clock.ts";
import type { DataDir } from "./data-dir.ts";
import { sessionAccount } from "./roles.ts";
import {
  type OpenedBy,
  openFileSecrets,
  openSettingsHost,
  proxyFromEnv,
  type SecretStore,
  type SystemProxy,
} from "./settings/index.ts";
import type { OpenedWorkspace } from "./workspace.ts";

export interface SettingsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets?: SecretStore;
  readonly systemProxy?: SystemProxy;
}

/** An opened workspace with the settings it was chosen by; disposes it again when those cannot be opened. */
export async function withSettings(
  workspace: OpenedWorkspace,
  options: SettingsOptions,
  dataDir: DataDir,
  opened: OpenedBy,
): Promise<OpenedWorkspace> {
  const { env } = options;
  try {
    const settings = await openSettingsHost({
      root: dataDir.root,
      secrets: options.secrets ?? openFileSecrets(dataDir.root),
      systemProxy: options.systemProxy ?? proxyFromEnv(env),
      env,
      clock: systemClock,
      host: workspace.host,
      account: sessionAccount(),
      opened,
      log: workspace.log.state,
    });
    return { ...workspace, settings };
  } catch (error) {
    await workspace.dispose();
    throw error;
  }
}
