import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findElectron, installElectron, runDesktop } from "../../../../main/cli/electron-build.ts";
import { decideFront, type FrontFacts } from "../../../../main/cli/front.ts";

const windows: FrontFacts = {
  platform: "win32",
  env: {},
  electron: null,
  built: true,
  installed: null,
  pageWanted: false,
};
const linux: FrontFacts = { ...windows, platform: "linux", env: { DISPLAY: ":0" } };
const present = { electron: "/e/electron" };

describe("the front of start (decisions §2)", () => {
  it.each<readonly [string, FrontFacts, string, RegExp]>([
    ["Windows with the build", { ...windows, ...present }, "desktop", /present at \/e\/electron/],
    ["Linux with the build and a display", { ...linux, ...present }, "desktop", /present/],
    ["Linux under Wayland", { ...linux, ...present, env: { WAYLAND_DISPLAY: "w" } }, "desktop", /present/],
    ["Linux without a display, at once", { ...linux, ...present, env: {} }, "page", /no display/],
    ["Linux without the build tries nothing", linux, "page", /not on this machine/],
    ["Windows without the build tries once", windows, "install", /not here yet/],
    ["macOS without the build tries once", { ...windows, platform: "darwin" }, "install", /not here yet/],
    ["after a failed try", { ...windows, installed: "failed" }, "page", /could not be downloaded/],
    ["after a try that took too long", { ...windows, installed: "timed-out" }, "page", /120 seconds/],
    [
      "an override without a build",
      { ...windows, env: { ELECTRON_OVERRIDE_DIST_PATH: "/x" } },
      "page",
      /OVERRIDE/,
    ],
    ["a program that is not built", { ...windows, ...present, built: false }, "page", /not been built/],
    ["the page was asked for", { ...windows, ...present, pageWanted: true }, "page", /--port or --no-open/],
  ])("%s", (_, facts, front, why) => {
    const decision = decideFront(facts);
    expect(decision.front).toBe(front);
    expect(decision.why).toMatch(why);
  });
});

describe("Electron's build on this machine (toolchain §4)", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "flownet-electron-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is found in the package, by the name its download wrote down or the platform's", async () => {
    expect(findElectron(folder, {}, "linux")).toBeNull();
    await mkdir(join(folder, "dist"));
    await writeFile(join(folder, "dist", "electron"), "");
    expect(findElectron(folder, {}, "linux")).toBe(join(folder, "dist", "electron"));
    expect(findElectron(folder, {}, "win32")).toBeNull();
    await writeFile(join(folder, "dist", "named.exe"), "");
    await writeFile(join(folder, "path.txt"), "named.exe\n");
    expect(findElectron(folder, {}, "win32")).toBe(join(folder, "dist", "named.exe"));
  });

  it("is found where the override says, and only there", async () => {
    await writeFile(join(folder, "electron"), "");
    expect(findElectron(null, { ELECTRON_OVERRIDE_DIST_PATH: folder }, "linux")).toBe(
      join(folder, "electron"),
    );
    expect(findElectron(folder, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, "x") }, "linux")).toBeNull();
    expect(findElectron(null, {}, "linux")).toBeNull();
  });

  it("is downloaded by the package's own script, whose failure is an answer", async () => {
    const signal = new AbortController().signal;
    const script = join(folder, "install.js");
    await writeFile(script, "process.exitCode = process.argv[2] === '--no' ? 0 : 1;");
    expect(await installElectron(folder, signal)).toBe("installed");
    await writeFile(script, "process.exitCode = 1;");
    expect(await installElectron(folder, signal)).toBe("failed");
    await writeFile(script, "setInterval(() => {}, 1000);");
    expect(await installElectron(folder, AbortSignal.abort())).toBe("failed");
    expect(await installElectron(null, signal)).toBe("failed");
  });

  it("gets the program's folder, its options and the Node of the children, and its exit code is told", async () => {
    const check = join(folder, "check.mjs");
    const told = `const [,, option] = process.argv;
      const fine = option === "--x" && process.env.FLOWNET_NODE === process.execPath && !("ELECTRON_RUN_AS_NODE" in process.env);
      process.exitCode = fine ? 7 : 1;`;
    await writeFile(check, told);
    const { signal } = new AbortController();
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
    expect(await runDesktop(process.execPath, check, ["--x"], env, signal)).toBe(7);
    expect(await runDesktop(join(folder, "absent"), check, [], env, signal)).toBe(1);
  });
});
