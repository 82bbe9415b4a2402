import { describe, expect, it } from "vitest";
import { alreadyRunning, ownerUnknown } from "../../../../main/console/host-guard/refusal.ts";
import { residentText } from "../../../../main/desktop/resident-text.ts";
import { desktopTexts } from "../../../../main/desktop/texts.ts";

const owner = {
  kind: "FLOWNET_RESIDENT",
  formatVersion: 1,
  host: "HOST-A",
  bootId: null,
  account: "tanaka",
  front: "serve",
  since: "2026-09-01T00:00:00.000Z",
  process: { pid: 4321, processStart: null, image: "C:\\node.exe" },
} as const;

describe("a data folder somebody else holds, in the window (electron-desktop L1)", () => {
  it.each(["ja", "en"])("names its owner and the next step in %s", (language) => {
    const texts = desktopTexts([language]);
    const text = residentText(alreadyRunning("C:\\data", owner).problem, texts) ?? "";
    for (const fact of ["tanaka", "4321", "HOST-A", "C:\\node.exe", "C:\\data", "flownet serve"]) {
      expect(text).toContain(fact);
    }
    expect(text).toContain(texts.open.resident.runningNext);
    expect(text).not.toContain("{{");
  });

  it("says so when the owner is not known, and what file to remove when it cannot tell", () => {
    const texts = desktopTexts(["ja"]);
    expect(residentText(alreadyRunning("/data", null).problem, texts)).toContain(texts.open.resident.noOwner);
    const unknown = residentText(ownerUnknown("/data/resident-a.json", owner, "denied").problem, texts) ?? "";
    expect(unknown).toContain(texts.open.resident.unknownNext);
    expect(unknown).toContain("/data/resident-a.json");
  });

  it("leaves every other problem to its own words", () => {
    expect(residentText({ code: "PORT_BUSY", message: "x" }, desktopTexts(["en"]))).toBeNull();
  });
});
