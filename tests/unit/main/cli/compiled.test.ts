import { describe, expect, it } from "vitest";
import { compiledFolder } from "../../../../main/cli/compiled.ts";

describe("where a start keeps what it compiled (decisions §2)", () => {
  it.each([
    ["linux", { HOME: "/home/a" }, "/home/a/.cache/flownet/compiled"],
    ["linux", { HOME: "/home/a", XDG_CACHE_HOME: "/cache" }, "/cache/flownet/compiled"],
    ["win32", { LOCALAPPDATA: "/local", HOME: "/home/a" }, "/local/flownet/compiled"],
    ["linux", {}, null],
    ["linux", { HOME: "" }, null],
    ["win32", { HOME: "/home/a" }, null],
  ] as const)("is the account's own on %s: %j", (platform, env, folder) => {
    expect(compiledFolder(env, platform)).toBe(folder);
  });
});
