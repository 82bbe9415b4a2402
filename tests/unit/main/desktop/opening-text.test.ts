import { describe, expect, it } from "vitest";
import { alreadyRunning } from "../../../../main/console/host-guard/refusal.ts";
import { openingLine, openingText } from "../../../../main/desktop/opening-text.ts";
import { desktopTexts } from "../../../../main/desktop/texts.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";
import en from "../../../../shared/text/problems.en.json" with { type: "json" };
import ja from "../../../../shared/text/problems.ja.json" with { type: "json" };

const missing = new FlowError({
  code: "WORKSPACE_DATABASE_MISSING",
  message: "The database is not there.",
  place: "/data/kintone/local-kintone.db",
  remedy: "Put the database back from a backup.",
});

describe("what keeps the window from opening (operator-ux §5.1)", () => {
  it.each([
    ["ja", ja.problems.WORKSPACE_DATABASE_MISSING],
    ["en", en.problems.WORKSPACE_DATABASE_MISSING],
  ] as const)(
    "says cause, effect and next step first, the code and the place below, in %s",
    (language, words) => {
      expect(openingText(missing, [language]).split("\n")).toEqual([
        words.cause,
        words.effect,
        words.next,
        "",
        "WORKSPACE_DATABASE_MISSING: The database is not there.",
        "/data/kintone/local-kintone.db",
      ]);
    },
  );

  it("says the message and the remedy of a code without words", () => {
    const strange = new FlowError({ code: "SOMETHING_NEW", message: "It broke.", remedy: "Mend it." });
    expect(openingText(strange, ["ja"])).toBe("SOMETHING_NEW: It broke.\nMend it.");
  });

  it("says of an unforeseen error what it is, and a next step", () => {
    expect(openingText(new Error("boom"), ["ja"])).toBe(`Error: boom\n${desktopTexts(["ja"]).open.next}`);
  });

  it("leaves a folder that somebody else holds to the words with the owner's facts (electron-desktop L1)", () => {
    const held = alreadyRunning("/data", null);
    expect(openingText(held, ["ja"])).toContain(desktopTexts(["ja"]).open.resident.runningNext);
  });

  it("writes code, message, place and remedy to one line of the log", () => {
    expect(openingLine(missing)).toBe(
      "WORKSPACE_DATABASE_MISSING: The database is not there. | /data/kintone/local-kintone.db | Put the database back from a backup.",
    );
  });
});
