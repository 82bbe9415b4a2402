import { randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";

/** A control pipe as the console opens it. */
export async function openPipe(folder: string): Promise<{
  readonly address: string;
  readonly connected: Promise<Socket>;
  close(): Promise<void>;
}> {
  const address = join(folder, `${randomBytes(4).toString("hex")}.sock`);
  let server: Server | null = null;
  const sockets = new Set<Socket>();
  const connected = new Promise<Socket>((done) => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.resume();
      done(socket);
    });
  });
  await new Promise<void>((done) => server?.listen(address, done));
  return {
    address,
    connected,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => (server === null ? done() : server.close(() => done())));
    },
  };
}
