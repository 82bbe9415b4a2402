import { once } from "node:events";
import { WebSocket } from "ws";
import { type ApiPort, type ConsoleApi, createClient } from "../../shared/api/index.ts";

/** A page's side of the line without a browser: signs in with a one-time link, then calls over the socket. */
export async function connectPage(link: string): Promise<{ api: ConsoleApi; close(): Promise<void> }> {
  const { origin, host } = new URL(link);
  const answer = await fetch(link, { redirect: "manual" });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const socket = new WebSocket(`ws://${host}/api`, { headers: { Cookie: cookie, Origin: origin } });
  await once(socket, "open");
  const port: ApiPort = {
    post: (data) => socket.send(data),
    onMessage: (listener) => void socket.on("message", (data) => listener(String(data))),
    onClose: (listener) => void socket.on("close", () => listener()),
  };
  return {
    api: createClient(() => port),
    async close() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}
