import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const LISTEN_STATE = "0A";

function socketInodes(port: number): ReadonlySet<string> {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  const inodes = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    let lines: string[];
    try {
      lines = readFileSync(table, "utf8").split("\n").slice(1);
    } catch {
      // Not Linux, or the table is closed to us: the owner stays unnamed.
      continue;
    }
    for (const line of lines) {
      const columns = line.trim().split(/\s+/);
      const inode = columns[9];
      if (columns[1]?.endsWith(`:${wanted}`) && columns[3] === LISTEN_STATE && inode !== undefined) {
        inodes.add(`socket:[${inode}]`);
      }
    }
  }
  return inodes;
}

function holds(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    // Another account's process, or one that has just ended.
    return false;
  }
}

/** Who listens on a port, as far as the system tells; never throws. */
export function describePortOwner(port: number): { readonly pid: number | null; readonly text: string } {
  const unknown = { pid: null, text: "another program" };
  const inodes = socketInodes(port);
  if (inodes.size === 0) return unknown;
  try {
    const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holds(name, inodes));
    if (pid === undefined) return unknown;
    const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    return { pid: Number(pid), text: `process ${pid} (${name})` };
  } catch {
    return unknown;
  }
}
