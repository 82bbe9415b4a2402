import assert from "node:assert/strict";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { shortenOutput } from "../../main/process/index.ts";
import { benchFor, fact, onWindows } from "./support.ts";

const MIB = 1024 * 1024;
const LIMIT = { maxBytes: 8 * MIB, headBytes: MIB, tailBytes: MIB };
const MARK = /\n\[FlowNet left out (\d+) bytes here to keep this file short\]\n/;
const FLOOD_BYTES = onWindows ? 64 * MIB : 1024 * MIB;

describe("what a child prints (electron-desktop §4 C6)", () => {
  it(`stays bounded at ${FLOOD_BYTES / MIB} MiB, with its beginning, its end and its encoding`, async (test) => {
    const bench = benchFor(test, { outputLimit: LIMIT });
    const child = await bench.started(bench.spec(["flood", String(FLOOD_BYTES)]));
    assert.deepEqual(await child.exited, { exitCode: 2, signal: null, forced: false, stopRequested: false });
    await fact("the file is short", () => statSync(bench.path("out")).size <= LIMIT.maxBytes);
    const text = readFileSync(bench.path("out"), "utf8");
    assert.match(text, /^0{12} 行/);
    assert.match(text.slice(-62), new RegExp(`^${String(FLOOD_BYTES / 64 - 1).padStart(12, "0")} 行`));
    assert.ok(Number(MARK.exec(text)?.[1]) > 0);
    assert.doesNotMatch(text, /\uFFFD/);
  });

  it("is shortened in place, again and again, with an honest count", async (test) => {
    const bench = benchFor(test);
    const path = bench.path("log");
    const limit = { maxBytes: 40_000, headBytes: 10_000, tailBytes: 10_000 };
    const line = (at: number): string => `${String(at).padStart(62, " ")}\n`;
    const lines = (from: number, count: number): string =>
      Array.from({ length: count }, (_, at) => line(from + at)).join("");
    writeFileSync(path, lines(0, 100));
    assert.equal(await shortenOutput(path, limit), false);
    for (let at = 100; at < 5_000; at += 700) {
      appendFileSync(path, lines(at, 700));
      assert.equal(await shortenOutput(path, limit), true);
    }
    const text = readFileSync(path, "utf8");
    const [mark = "", count] = MARK.exec(text) ?? [];
    assert.equal(text.length - mark.length + Number(count), 5_000 * 63);
    assert.ok(text.startsWith(line(0)) && text.endsWith(line(4_999)));
  });

  it("does not hold the child up while nobody reads", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["flood", String(4 * MIB)]));
    assert.equal((await child.exited).exitCode, 2);
    assert.equal(statSync(bench.path("out")).size, 4 * MIB);
    assert.equal(statSync(bench.path("err")).size, 0);
  });
});
