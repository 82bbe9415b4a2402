import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linePair } from "../../../../main/desktop/life/live-runs.ts";
import { markStart } from "../../../../main/desktop/life/start-marker.ts";
import { safePageHtml } from "../../../../main/desktop/safe-page.ts";
import { childNode, startOptions, userDataFolder } from "../../../../main/desktop/start-options.ts";
import { desktopTexts, fill } from "../../../../main/desktop/texts.ts";
import { createUiFiles } from "../../../../main/desktop/ui-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-desktop-parts-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the marker of a dirty start (electron-desktop L5)", () => {
  const path = () => join(folder, "account", "running.json");
  it("is there from the start to the clean end, and tells the next start who left it", async () => {
    const first = await markStart(path(), 41, "2026-09-01T00:00:00.000Z");
    expect(first).toMatchObject({ dirty: false, left: null });
    const second = await markStart(path(), 42, "2026-09-01T01:00:00.000Z");
    expect(second).toMatchObject({ dirty: true, left: { pid: 41, startedAt: "2026-09-01T00:00:00.000Z" } });
    second.clear();
    expect(await markStart(path(), 43, "2026-09-01T02:00:00.000Z")).toMatchObject({ dirty: false });
  });

  it("that was cut short still says that the end was not clean", async () => {
    await mkdir(join(folder, "account"));
    await writeFile(path(), '{"kind":"FLOW');
    expect(await markStart(path(), 1, "2026-09-01T00:00:00.000Z")).toMatchObject({ dirty: true, left: null });
    expect(JSON.parse(await readFile(path(), "utf8"))).toMatchObject({ kind: "FLOWNET_RUNNING", pid: 1 });
  });
});

describe("answers under the private scheme (electron-desktop R2, R3)", () => {
  const get = (url: string, method = "GET") =>
    createUiFiles({ folder, nonce: () => "fresh", safePage: () => "<h1>safe</h1>" })({ url, method });

  beforeEach(async () => {
    await mkdir(join(folder, "assets"));
    await writeFile(join(folder, "index.html"), '<meta nonce="FLOWNET_CSP_NONCE">');
    await writeFile(join(folder, "assets", "a.js"), "FLOWNET_CSP_NONCE");
    await writeFile(join(folder, "assets", "notes.txt"), "no type of ours");
  });

  it.each([
    ["app://ui/", 200, "text/html; charset=utf-8", '<meta nonce="fresh">'],
    ["app://ui/assets/a.js", 200, "text/javascript; charset=utf-8", "FLOWNET_CSP_NONCE"],
    ["app://ui/safe-page", 200, "text/html; charset=utf-8", "<h1>safe</h1>"],
    ["app://ui/assets/notes.txt", 404, "text/plain; charset=utf-8", "Nothing is here.\n"],
    ["app://ui/assets/b.js", 404, "text/plain; charset=utf-8", "Nothing is here.\n"],
    ["app://ui/assets", 404, "text/plain; charset=utf-8", "Nothing is here.\n"],
    ["app://ui/../index.html", 404, "text/plain; charset=utf-8", "Nothing is here.\n"],
  ])("%s: %d", async (url, status, type, body) => {
    const answer = await get(url);
    expect(answer).toMatchObject({
      status,
      headers: { "Content-Type": type, "X-Content-Type-Options": "nosniff" },
    });
    expect(Buffer.from(answer.body ?? []).toString()).toBe(body);
    expect(answer.headers["Content-Security-Policy"]).toContain("'nonce-fresh'");
  });

  it("are given to GET alone", async () => {
    expect(await get("app://ui/", "POST")).toMatchObject({ status: 405 });
  });
});

describe("how the program is started (decisions §1, §2)", () => {
  it.each([
    [["--data-dir", "/d"], {}, { dataDir: "/d", softwareRendering: false }],
    [["--data-dir", "d"], {}, { dataDir: "/cwd/d", softwareRendering: false }],
    [["--data-dir"], {}, { dataDir: null, softwareRendering: false }],
    [["--software-rendering"], {}, { dataDir: null, softwareRendering: true }],
    [[], { SESSIONNAME: "RDP-Tcp#0" }, { dataDir: null, softwareRendering: true }],
    [[], { SESSIONNAME: "Console" }, { dataDir: null, softwareRendering: false }],
  ])("%j with %j", (argv, env, options) => {
    expect(startOptions(argv, env, "/cwd")).toEqual(options);
  });

  it("keeps the account's things apart for each data folder", () => {
    const usual = userDataFolder("/app", null);
    const folders = [usual, userDataFolder("/app", "/a"), userDataFolder("/app", "/b")];
    expect(new Set(folders).size).toBe(3);
    expect(folders.every((each) => each.startsWith(usual))).toBe(true);
    expect(userDataFolder("/app", "/a")).toBe(folders[1]);
  });

  const facts = {
    execPath: "/electron",
    inElectron: true,
    packaged: false,
    resourcesPath: "/r",
    env: {},
  } as const;
  it.each([
    ["outside of Electron: this Node", { ...facts, inElectron: false }, "linux", "/electron"],
    ["in development: the starter's Node", { ...facts, env: { FLOWNET_NODE: "/node" } }, "linux", "/node"],
    ["in development without one: none, never the application", facts, "linux", null],
    ["installed: the bundled one", { ...facts, packaged: true }, "win32", join("/r", "node", "node.exe")],
    [
      "installed, whatever the variables say",
      { ...facts, packaged: true, env: { FLOWNET_NODE: "/x" } },
      "linux",
      join("/r", "node", "node"),
    ],
  ] as const)("%s", (_, given, platform, node) => {
    expect(childNode({ ...given, platform })).toBe(node);
  });
});

describe("texts of the desktop", () => {
  it.each([
    [["ja-JP"], "終了(&X)"],
    [["ja"], "終了(&X)"],
    [[], "終了(&X)"],
    [["en-GB", "ja-JP"], "E&xit"],
    [["de-DE"], "E&xit"],
  ])("%j", (languages, quit) => {
    expect(desktopTexts(languages).menu.quit).toBe(quit);
  });

  it("fill their places and leave unknown ones", () => {
    expect(fill("{{a}} {{b}} {{a}}", { a: 1 })).toBe("1 {{b}} 1");
  });

  it("stand in the safe page as text", () => {
    const texts = desktopTexts(["en"]);
    const html = safePageHtml({ ...texts, safePage: { ...texts.safePage, body: "<script>&" } });
    expect(html).toContain("&lt;script&gt;&amp;");
    expect(html).not.toContain("<script");
  });
});

describe("a line within the process", () => {
  it("carries both ways in turns of its own and falls silent when closed", async () => {
    const pair = linePair();
    const heard: string[] = [];
    pair.near.onMessage((data) => heard.push(`near ${data}`));
    pair.far.onMessage((data) => heard.push(`far ${data}`));
    pair.near.onClose(() => heard.push("near closed"));
    pair.near.post("1");
    pair.far.post("2");
    expect(heard).toEqual([]);
    await Promise.resolve();
    expect(heard).toEqual(["far 1", "near 2"]);
    pair.close();
    pair.far.post("3");
    await Promise.resolve();
    expect(heard).toEqual(["far 1", "near 2", "near closed"]);
  });
});
