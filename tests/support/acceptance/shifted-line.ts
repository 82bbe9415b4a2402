import { createServer, request } from "node:http";
import { listenOnLocalhost } from "./listen.ts";

/** A way to a kintone whose clock shows another time: every answer says so. */
export interface ShiftedLine {
  readonly port: number;
  dispose(): Promise<void>;
}

/** `offMs`: server minus this host, milliseconds. Whoever opens disposes. */
export async function openShiftedLine(target: number, offMs: number): Promise<ShiftedLine> {
  const server = createServer((incoming, answer) => {
    answer.sendDate = false;
    const onward = request(
      {
        host: "localhost",
        port: target,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, host: `localhost:${target}` },
      },
      (back) => {
        const date = new Date(Date.now() + offMs).toUTCString();
        answer.writeHead(back.statusCode ?? 502, { ...back.headers, date });
        back.pipe(answer);
      },
    );
    onward.on("error", () => answer.destroy());
    incoming.pipe(onward);
  });
  const port = await listenOnLocalhost(server);
  return {
    port,
    async dispose() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
