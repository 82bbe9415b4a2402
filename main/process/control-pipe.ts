import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names the pipe in a child's environment (decisions §3, "Cancelling a child"). */
export const CONTROL_PIPE_VARIABLE = "FLOWNET_CONTROL_PIPE";
/** A socket address holds 104 bytes on the narrowest system, its end mark included. */
const LONGEST_PATH_BYTES = 100;
const FOLDER_PREFIX = "flownet-pipe-";
const CANCEL = "cancel\n";

export interface ControlPipe {
  /** What the child connects to: a socket path, on Windows the name of a pipe. */
  readonly address: string;
  /** Says `cancel` to whoever listens, and at once to a child that connects later. */
  cancel(): void;
  /** Closes and removes the pipe. A child takes a closed pipe for nothing, so this cancels nothing. */
  dispose(): void;
}

/**
 * Opens the pipe over which one child can be asked to end in order: the only soft stop that Windows has
 * (toolchain §9). One line, `cancel`, ever goes over it. Rejects when the pipe cannot be opened.
 */
export async function openControlPipe(platform: NodeJS.Platform): Promise<ControlPipe> {
  const { address, remove } = platform === "win32" ? windowsAddress() : socketAddress();
  const listeners = new Set<Socket>();
  let cancelled = false;

  const server = createServer((socket) => {
    listeners.add(socket);
    socket.unref();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => listeners.delete(socket));
    socket.resume();
    if (cancelled) socket.write(CANCEL);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(address, resolve);
    });
  } catch (error) {
    remove();
    throw error;
  }
  // A later failure to accept loses the polite way only; the stop goes on by force.
  server.on("error", () => undefined);
  server.unref();

  return {
    address,
    cancel: () => {
      cancelled = true;
      for (const socket of listeners) socket.write(CANCEL);
    },
    dispose: () => {
      for (const socket of listeners) socket.destroy();
      server.close();
      remove();
    },
  };
}

interface Address {
  readonly address: string;
  remove(): void;
}

function windowsAddress(): Address {
  return { address: `\\\\.\\pipe\\flownet-${randomUUID()}`, remove: () => undefined };
}

/** A folder of our own around the socket keeps other accounts out. */
function socketAddress(): Address {
  const folder = mkdtempSync(join(socketBase(), FOLDER_PREFIX));
  return { address: join(folder, "c"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The usual place for temporary files, or `/tmp` where that is too long for a socket. */
function socketBase(): string {
  const longest = join(tmpdir(), `${FOLDER_PREFIX}XXXXXX`, "c");
  return Buffer.byteLength(longest) <= LONGEST_PATH_BYTES ? tmpdir() : "/tmp";
}

/**
 * Removes the sockets of programs that died: nobody answers at them any more. One that answers, or whose state
 * cannot be told, stays. Windows removes the pipes of a dead process by itself.
 */
export async function sweepDeadPipes(platform: NodeJS.Platform): Promise<void> {
  if (platform === "win32") return;
  const base = socketBase();
  const names = await readdir(base).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith(FOLDER_PREFIX))) {
    const folder = join(base, name);
    if (await isRefused(join(folder, "c"))) await rm(folder, { recursive: true, force: true });
  }
}

/** A socket file without a listener refuses at once; both answers come from this host's kernel alone. */
function isRefused(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(address);
    probe.once("connect", () => {
      probe.destroy();
      resolve(false);
    });
    probe.once("error", (error) => resolve("code" in error && error.code === "ECONNREFUSED"));
  });
}
