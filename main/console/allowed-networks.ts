import type { NetworkEntry, Workspace } from "./ports.ts";

/** The networks this host may start, as the list stands now (orchestration §7.7). */
export interface AllowedNetworks {
  /** As last read. */
  current(): readonly NetworkEntry[];
  /** Reads the list anew; one that cannot be used throws its `FlowError`, and the last good one stays. */
  read(): Promise<readonly NetworkEntry[]>;
}

export function createAllowedNetworks(
  workspace: Pick<Workspace, "networks" | "readNetworks">,
): AllowedNetworks {
  let current = workspace.networks;
  return {
    current: () => current,
    async read() {
      current = await workspace.readNetworks();
      return current;
    },
  };
}
