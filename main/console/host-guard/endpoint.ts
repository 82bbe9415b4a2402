import { rm } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { join } from "node:path";
import { sha256Hex } from "../../../shared/domain/hash.ts";

/** How long an owner may take to say who it is; milliseconds. */
const ANSWER_MS = 2_000;
const ANSWER_BYTES = 16_384;

/**
 * The name by which one data folder is held on one host: a named pipe on Windows, an abstract socket on Linux. Both are
 * one namespace for all accounts and sessions of the host, and the kernel frees them with their process, however that
 * ends. A lock file was not taken: another account may not open it, and what it says outlives a kill. Other systems
 * have neither, and get a socket in the data folder.
 */
export function endpointName(folder: string, platform: NodeJS.Platform = process.platform): string {
  const place = platform === "win32" ? folder.toLowerCase() : folder;
  const name = `flownet-console-${sha256Hex(place).slice(0, 32)}`;
  if (platform === "win32") return `\\\\.\\pipe\\${name}`;
  return platform === "linux" ? `\0${name}` : join(folder, "resident.sock");
}

export interface Endpoint {
  close(): Promise<void>;
}

/**
 * Takes the name and answers everybody who connects with `text`; null when another process has it. It keeps no process
 * alive. Errors of the system other than a taken name pass.
 */
export async function takeEndpoint(name: string, text: () => string): Promise<Endpoint | null> {
  const taken = await listen(name, text);
  if (taken !== null || isKernelName(name)) return taken;
  // A socket file outlives its process: nobody behind it means that it was left there.
  if ((await ask(name)) !== null) return null;
  await rm(name, { force: true });
  return listen(name, text);
}

const isKernelName = (name: string): boolean => name.startsWith("\0") || name.startsWith("\\\\.\\pipe\\");

function listen(name: string, text: () => string): Promise<Endpoint | null> {
  const server = createServer((socket) => {
    // Whoever asks may be gone before the answer.
    socket.on("error", () => socket.destroy());
    socket.resume();
    socket.end(text());
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(null);
      else reject(error);
    });
    server.listen(name, () => {
      server.removeAllListeners("error");
      // A failed accept is the asker's loss; the name stays taken.
      server.on("error", () => undefined);
      server.unref();
      resolve({ close: () => closed(server) });
    });
  });
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** What the holder of a name says, within two seconds; null when nobody answers. Never throws. */
export function ask(name: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createConnection(name);
    let text = "";
    const end = (answer: string | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), ANSWER_MS);
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      text += part;
      if (text.length > ANSWER_BYTES) end(null);
    });
    socket.on("end", () => end(text));
    socket.on("error", () => end(null));
  });
}
