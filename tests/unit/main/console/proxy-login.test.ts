import { describe, expect, it } from "vitest";
import { proxySecrets, shownProxy } from "../../../../main/console/settings/reach.ts";

describe("the login of a proxy that the environment names (electron-desktop S4)", () => {
  it.each<[string, string, readonly string[]]>([
    ["http://proxy.example:8080", "http://proxy.example:8080", []],
    ["http://tanaka:s3cret@proxy:8080", "http://proxy:8080", ["tanaka:s3cret", "s3cret"]],
    ["http://tanaka:p%40ss@proxy:8080", "http://proxy:8080", ["tanaka:p%40ss", "p%40ss", "p@ss"]],
    ["http://tanaka:p@ss@proxy", "http://proxy", ["tanaka:p@ss", "p@ss"]],
    ["http://tanaka:100%@proxy", "http://proxy", ["tanaka:100%", "100%"]],
    ["tanaka:s3cret@proxy:8080", "proxy:8080", ["tanaka:s3cret", "s3cret"]],
  ])("%s is shown as %s", (url, shown, secrets) => {
    expect(shownProxy(url)).toBe(shown);
    expect(proxySecrets(url)).toEqual(secrets);
  });

  it("is nothing where there is no proxy", () => {
    expect(proxySecrets(undefined)).toEqual([]);
  });
});
