import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { proxyFromAnswer } from "../../../../main/desktop/system-proxy.ts";
import { readPlace, visiblePlace, writePlace } from "../../../../main/desktop/window-place.ts";

const left = { x: -1920, y: 0, width: 1920, height: 1040 };
const main = { x: 0, y: 0, width: 1920, height: 1040 };
const size = { width: 1280, height: 800 };

describe("where the window comes back (electron-desktop L12)", () => {
  it.each([
    ["where it stood", { x: 100, y: 50, ...size }, [main], { x: 100, y: 50, ...size }],
    ["on a second display", { x: -1800, y: 0, ...size }, [main, left], { x: -1800, y: 0, ...size }],
    ["not on a display that is gone", { x: -1800, y: 0, ...size }, [main], null],
    ["not with a strip nobody can grip", { x: 1800, y: 50, ...size }, [main], null],
    ["not above the display", { x: 100, y: -40, ...size }, [main], null],
    [
      "no larger than the display",
      { x: 0, y: 0, width: 3000, height: 2000 },
      [main],
      { x: 0, y: 0, width: 1920, height: 1040 },
    ],
    ["nowhere without displays", { x: 0, y: 0, ...size }, [], null],
  ])("%s", (_, saved, displays, place) => {
    expect(visiblePlace(saved, displays)).toEqual(place);
  });

  it("is kept in a file, and a file that is none is no place", async () => {
    const folder = await mkdtemp(join(tmpdir(), "flownet-place-"));
    try {
      const file = join(folder, "window.json");
      expect(await readPlace(file)).toBeNull();
      await writePlace(file, { x: 1, y: 2, ...size });
      expect(await readPlace(file)).toEqual({ x: 1, y: 2, ...size });
      await writeFile(file, '{"bounds":{"x":"1"}}');
      expect(await readPlace(file)).toBeNull();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("the system's proxy (electron-desktop N1)", () => {
  it.each([
    ["DIRECT", null],
    ["PROXY proxy.example.jp:8080", "http://proxy.example.jp:8080"],
    ["PROXY proxy.example.jp:8080; DIRECT", "http://proxy.example.jp:8080"],
    ["HTTPS proxy.example.jp:443", "https://proxy.example.jp:443"],
    ["PROXY [::1]:3128", "http://[::1]:3128"],
    ["SOCKS5 proxy.example.jp:1080", null],
    ["PROXY", null],
    ["PROXY user@host:1", null],
    ["", null],
  ])("%s: %s", (answer, proxy) => {
    expect(proxyFromAnswer(answer)).toBe(proxy);
  });
});
