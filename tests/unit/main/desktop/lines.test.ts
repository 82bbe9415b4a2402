import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLines, type FrontPort, type Refusal, senderRefusal } from "../../../../main/desktop/lines.ts";
import type { SenderFacts } from "../../../../main/desktop/ports.ts";
import { isApiCall, MAX_LINE_MESSAGE } from "../../../../shared/api/index.ts";

const own: SenderFacts = { windowId: 7, frameUrl: "app://ui/index.html#/runs", mainFrame: true };
const call = JSON.stringify({ i: "1", p: { u: "/runs/list", b: { json: {} } } });

function open() {
  const served: FrontPort[] = [];
  const heard: string[] = [];
  const sent: string[] = [];
  const refused: Refusal[] = [];
  const cut: number[] = [];
  const closed: number[] = [];
  const lines = createLines({
    api: {
      serve(port) {
        const number = served.push(port);
        port.onMessage((data) => heard.push(data));
        port.onClose(() => closed.push(number));
      },
    },
    send: (_, data) => void sent.push(data),
    refused: (why) => refused.push(why),
    cut: (windowId) => cut.push(windowId),
  });
  lines.admit(own.windowId);
  return { lines, served, heard, sent, refused, cut, closed };
}

describe("senders (electron-desktop I2)", () => {
  const known = new Set([7]);
  it.each<readonly [string, Partial<SenderFacts>, Refusal | null]>([
    ["our page", {}, null],
    ["another window", { windowId: 8 }, "unknown-window"],
    ["a frame that is gone", { frameUrl: null }, "no-frame"],
    ["a frame in the page", { mainFrame: false }, "sub-frame"],
    ["a foreign page", { frameUrl: "https://example.com/" }, "foreign-url"],
    ["a page whose host begins like ours", { frameUrl: "app://ui.example/" }, "foreign-url"],
    ["an empty page", { frameUrl: "about:blank" }, "foreign-url"],
  ])("%s", (_, change, refusal) => {
    expect(senderRefusal({ ...own, ...change }, known)).toBe(refusal);
  });
});

describe("lines (electron-desktop I2, I3, I7)", () => {
  it("open at the first call of a document and close with it", () => {
    const { lines, served, heard, closed } = open();
    lines.receive(own, { data: call });
    lines.receive(own, { data: call });
    expect([served.length, heard.length]).toEqual([1, 2]);
    lines.close(own.windowId);
    expect(closed).toEqual([1]);
    lines.receive(own, { data: call });
    expect(served.length).toBe(2);
    lines.dispose();
    expect(closed).toEqual([1, 2]);
  });

  it("send nothing after their document ended", () => {
    const { lines, served, sent } = open();
    lines.receive(own, { data: call });
    served[0]?.post("before");
    lines.close(own.windowId);
    served[0]?.post("after");
    expect(sent).toEqual(["before"]);
  });

  it("make a stream wait until the page took what it got", async () => {
    const { lines, served } = open();
    lines.receive(own, { data: call });
    const port = served[0];
    await port?.writable();
    for (let count = 0; count < 256; count++) port?.post("x");
    let free = false;
    const waiting = port?.writable().then(() => {
      free = true;
    });
    await Promise.resolve();
    expect(free).toBe(false);
    lines.receive(own, { taken: 1 });
    await waiting;
    expect(free).toBe(true);
  });

  it("let a waiting stream go when they close", async () => {
    const { lines, served } = open();
    lines.receive(own, { data: call });
    for (let count = 0; count < 256; count++) served[0]?.post("x");
    const waiting = served[0]?.writable();
    lines.close(own.windowId);
    await expect(waiting).resolves.toBeUndefined();
  });

  it("are cut when the page reads nothing any more", () => {
    const { lines, served, sent, cut, closed } = open();
    lines.receive(own, { data: call });
    for (let count = 0; count < 20_001; count++) served[0]?.post("x");
    expect([sent.length, cut, closed]).toEqual([20_000, [7], [1]]);
  });

  it("refuse what is too long, is no envelope or no call, and never throw", () => {
    const { lines, heard, refused } = open();
    const tooLong = JSON.stringify({ i: "1", p: { u: "/x", b: "x".repeat(MAX_LINE_MESSAGE) } });
    const bad = [
      tooLong,
      "",
      "null",
      "[]",
      "{}",
      '{"i":"1"}',
      '{"i":"1","t":3,"p":{}}',
      '{"i":"1","p":{"u":"//x"',
    ];
    for (const data of bad) lines.receive(own, { data });
    for (const message of [
      null,
      1,
      call,
      { data: 1 },
      { taken: 0 },
      { taken: 1.5 },
      { data: call, taken: 1 },
    ]) {
      lines.receive(own, message);
    }
    expect(refused).toEqual(Array.from({ length: bad.length + 7 }, () => "malformed"));
    fc.assert(fc.property(fc.anything(), (message) => void lines.receive(own, message)));
    expect(heard).toEqual([]);
  });
});

describe("calls (electron-desktop I3)", () => {
  it.each([
    [call, true],
    ['{"i":"1","p":{"u":"/runs/list"}}', true],
    ['{"i":"1","t":4,"p":{}}', true],
    ['{"i":"1","t":4}', true],
    ['{"i":"1","p":{"u":"https://example.com/","b":{}}}', false],
    ['{"i":"1","p":{"u":"/runs/../x","b":{}}}', false],
    ['{"i":"1","p":{"u":"/runs/list","b":{},"m":"GET"}}', false],
    ['{"i":"1","p":{"u":"/runs/list","b":{},"h":{"content-type":"x"}}}', false],
    [`{"i":"${"1".repeat(65)}","p":{"u":"/runs/list"}}`, false],
    ['{"i":1,"p":{"u":"/runs/list"}}', false],
  ])("%s: %s", (text, good) => {
    expect(isApiCall(text)).toBe(good);
  });
});
