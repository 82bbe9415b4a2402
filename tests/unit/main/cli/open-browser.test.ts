import { describe, expect, it } from "vitest";
import { browserCommand, signpost } from "../../../../main/cli/open-browser.ts";

describe("opening the browser (decisions section 2)", () => {
  it.each([
    ["win32", {}, "rundll32.exe"],
    ["darwin", {}, "open"],
    ["linux", { DISPLAY: ":0" }, "xdg-open"],
    ["linux", { WAYLAND_DISPLAY: "wayland-0" }, "xdg-open"],
  ] as const)("has a way on %s with %j", (platform, env, program) => {
    expect(browserCommand(platform, env, "file:///d/open-console.html")?.command).toMatch(
      new RegExp(`${program}$`),
    );
  });

  it("is not tried on a Linux without a display", () => {
    expect(browserCommand("linux", {}, "file:///d/open-console.html")).toBeNull();
  });

  it("leads to the link by a page that escapes it", () => {
    expect(signpost('http://127.0.0.1:1/?token=a&b="<')).toContain(
      'content="0;url=http://127.0.0.1:1/?token=a&amp;b=&quot;&lt;"',
    );
  });
});
