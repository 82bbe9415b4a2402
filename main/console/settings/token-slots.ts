import type { ConnectionSettings, TokenInfo } from "../../../shared/api/index.ts";
import { runnerVariableNames } from "../runner-config.ts";
import type { SecretStore } from "./secret-store.ts";

/** Where a connection's token stands in the secret store. */
export const secretName = (connectionId: string, slot: string): string =>
  `connection.${connectionId}.${slot.replace("/", ".")}`;

/** Shortest token whose end may be shown; of a shorter one four characters would give too much away. */
const SHOWN_FROM = 16;

/** The tokens a connection needs: one for each app, and what its runner's configuration names as `env:…`. */
export async function tokenSlots(connection: ConnectionSettings): Promise<readonly string[]> {
  const { apps, runner } = connection;
  const ofApps = (["state", "audit", "request", "jobLog"] as const).filter((slot) => apps[slot] !== null);
  // A configuration that cannot be read names nothing; the check tells why.
  const names = await runnerVariableNames(runner.configPath).catch(() => []);
  return [...ofApps, ...names.map((name) => `runner/${name}`)];
}

/** What anybody may know of a connection's tokens. */
export async function tokensOf(
  connection: ConnectionSettings,
  secrets: SecretStore,
): Promise<readonly TokenInfo[]> {
  const broken = new Set(await secrets.undecryptable());
  const slots = await tokenSlots(connection);
  return Promise.all(
    slots.map(async (slot): Promise<TokenInfo> => {
      const name = secretName(connection.id, slot);
      const about = { connectionId: connection.id, slot };
      if (broken.has(name)) return { ...about, state: "undecryptable", ending: null };
      const value = await secrets.get(name);
      if (value === null) {
        const state = (await secrets.has(name)) ? "undecryptable" : "unset";
        return { ...about, state, ending: null };
      }
      return { ...about, state: "set", ending: value.length < SHOWN_FROM ? null : value.slice(-4) };
    }),
  );
}
