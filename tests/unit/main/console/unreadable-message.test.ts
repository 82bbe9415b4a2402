import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type EmbeddedConsole, openConsole } from "../../../support/console-fixture.ts";

const SLOW = 120_000;

let opened: EmbeddedConsole;
/** What nobody caught would end the console; here it is counted. */
const uncaught: unknown[] = [];
const count = (reason: unknown): void => void uncaught.push(reason);

beforeAll(async () => {
  opened = await openConsole();
  process.on("unhandledRejection", count);
}, SLOW);

afterAll(async () => {
  process.off("unhandledRejection", count);
  await opened.close();
}, SLOW);

async function openLine(): Promise<WebSocket> {
  const answer = await fetch(opened.front.mintLink(), { redirect: "manual" });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const url = `${opened.front.origin.replace("http:", "ws:")}/api`;
  const socket = new WebSocket(url, { headers: { Cookie: cookie, Origin: opened.front.origin } });
  await once(socket, "open");
  return socket;
}

/** Rejections are told after the turn they belong to; an answered call lies some turns behind it. */
async function stillServes(): Promise<void> {
  expect(await opened.api.workspace.get({})).toMatchObject({ ok: true });
}

describe("a message on the console's line that is no call (toolchain §6)", () => {
  it.each([
    "hello",
    "",
    "{}",
    "null",
    "[]",
    '"text"',
    "1e999",
    '{"i":"1"}',
    '{"i":"1","p":null}',
    '{"i":"1","p":{"u":"%zz","b":1}}',
    '{"i":"1","p":{"u":"http://","b":1}}',
    '{"i":{"a":1},"t":99,"p":null}',
    '{"i":"1","t":3,"p":null}',
    `${"[".repeat(50_000)}`,
  ])("ends its own line with 1007 and nothing else: %j", async (text) => {
    const socket = await openLine();
    socket.send(text);
    const [code] = await once(socket, "close");
    expect(code).toBe(1007);
    await stillServes();
    expect(uncaught).toEqual([]);
  });

  it("that reads as a call of nothing is answered, and the line goes on", async () => {
    const socket = await openLine();
    for (const path of ["/nowhere", "/workspace/get/more", "/__proto__", "/constructor/name"]) {
      socket.send(JSON.stringify({ i: path, p: { u: path, b: 1 } }));
      const [answer] = await once(socket, "message");
      expect(JSON.parse(String(answer))).toMatchObject({ i: path, p: { s: 404 } });
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
    expect(uncaught).toEqual([]);
  });

  it("leaves nothing uncaught when its answer cannot be handed over", async () => {
    const posted = Promise.withResolvers<void>();
    let speak: (text: string) => void = () => undefined;
    opened.host.serve({
      post() {
        posted.resolve();
        throw new Error("the line is gone");
      },
      onMessage: (listener) => {
        speak = listener;
      },
      onClose: () => undefined,
      writable: () => Promise.resolve(),
    });
    speak(JSON.stringify({ i: "1", p: { u: "/workspace/get", b: { json: {} } } }));
    await posted.promise;
    await stillServes();
    expect(uncaught).toEqual([]);
  });
});
