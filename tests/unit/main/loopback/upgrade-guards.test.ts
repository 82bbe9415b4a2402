import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { MAX_MESSAGE_BYTES, SESSION_IDLE_MS } from "../../../../main/loopback/policy.ts";
import { type Front, get, handshake, openFront, signIn } from "./support.ts";

let front: Front;
beforeEach(async () => {
  front = await openFront();
});
afterEach(() => front.close());

async function openLine(cookie: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${front.port}/api`, {
    headers: { Cookie: cookie, Origin: front.loopback.origin },
  });
  await once(socket, "open");
  return socket;
}

describe("the socket of the loopback front (toolchain §6)", () => {
  const refusals: readonly [string, (port: number, cookie: string) => Record<string, string>, number][] = [
    ["a foreign Host", () => ({ Host: "evil.example" }), 403],
    ["a name instead of the address", (port) => ({ Host: `localhost:${port}` }), 403],
    ["a foreign Origin", () => ({ Origin: "https://evil.example" }), 403],
    ["our address on another port as Origin", () => ({ Origin: "http://127.0.0.1:1" }), 403],
    ["the null Origin of a sandboxed page", () => ({ Origin: "null" }), 403],
    ["no session cookie", () => ({ Cookie: "" }), 403],
    ["a made-up session", (_, cookie) => ({ Cookie: `${cookie.split("=")[0]}=${"A".repeat(43)}` }), 403],
  ];
  it.each(refusals)("refuses %s before the handshake", async (_, change, status) => {
    const cookie = await signIn(front);
    const answer = await get(front.port, "/api", {
      ...handshake(front.port, cookie),
      ...change(front.port, cookie),
    });
    expect(answer.status).toBe(status);
    expect(front.lines).toHaveLength(0);
  });

  it("refuses a handshake that names no Origin at all", async () => {
    const { Origin: _, ...headers } = handshake(front.port, await signIn(front));
    expect((await get(front.port, "/api", headers)).status).toBe(403);
  });

  it("knows one path only", async () => {
    const headers = handshake(front.port, await signIn(front));
    expect((await get(front.port, "/other", headers)).status).toBe(404);
    expect(front.lines).toHaveLength(0);
  });

  it("hands an admitted line to the API and carries text both ways", async () => {
    const socket = await openLine(await signIn(front));
    const [line] = front.lines;
    if (line === undefined) throw new Error("no line was handed over");
    line.onMessage((text) => line.post(`echo ${text}`));
    socket.send("予定");
    const [answer] = await once(socket, "message");
    expect(String(answer)).toBe("echo 予定");
    socket.terminate();
  });

  it.each([
    ["a message beyond the limit", () => "x".repeat(MAX_MESSAGE_BYTES + 1), 1009],
    ["a binary message", () => Buffer.from([1, 2, 3]), 1003],
  ])("closes the line at %s", async (_, message, code) => {
    const socket = await openLine(await signIn(front));
    front.lines[0]?.onMessage(() => undefined);
    socket.send(message());
    const [closedWith] = await once(socket, "close");
    // A limit breach may reach the client as the bare end of the connection.
    expect([code, 1006]).toContain(closedWith);
  });

  it("keeps a session alive while its line is open, and no longer than its idle time after", async () => {
    const cookie = await signIn(front);
    const socket = await openLine(cookie);
    front.passMs(10 * SESSION_IDLE_MS);
    expect((await get(front.port, "/", { Cookie: cookie })).status).toBe(200);
    const gone = Promise.withResolvers<void>();
    front.lines[0]?.onClose(() => gone.resolve());
    socket.terminate();
    await gone.promise;
    front.passMs(SESSION_IDLE_MS + 1);
    expect((await get(front.port, "/", { Cookie: cookie })).status).toBe(401);
  });

  it("tells every line when the front closes", async () => {
    const socket = await openLine(await signIn(front));
    const closed = once(socket, "close");
    await front.loopback.close();
    await expect(closed).resolves.toBeDefined();
  });
});
