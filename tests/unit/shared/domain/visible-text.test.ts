import { describe, expect, it } from "vitest";
import { intent } from "../../../../shared/api/index.ts";
import { visibleLength, visibleText, withoutControls } from "../../../../shared/domain/visible-text.ts";

describe("what a person sees of a text (operator-ux §2.1)", () => {
  it.each([
    ["", 0],
    [" \u3000\t\n", 0],
    ["\u200b\u2060\ufeff\u00ad\u3164\u2800\u202e\u0000", 0],
    ["a\u200bb", 2],
    ["停電した", 4],
    ["𠮷野家", 3],
  ])("%j has %i characters", (text, length) => {
    expect(visibleLength(text)).toBe(length);
  });

  it("is without the white space around it, and with that between", () => {
    expect(visibleText(" \u200b two words\u2060 ")).toBe("two words");
  });
});

describe("a typed text", () => {
  it.each([
    ["a\u001b[31mred\u001b[0m", "a[31mred[0m"],
    ["a\u0000b", "ab"],
    ["one\r\n\ttwo", "one\r\n\ttwo"],
    ["\u009b2Jclear\u0007", "2Jclear"],
  ])("keeps its lines and loses what steers a terminal or ends an argument: %j", (text, kept) => {
    expect(withoutControls(text)).toBe(kept);
    const stop = intent.parse({ kind: "stop", runId: "netrun_1", reason: text });
    expect(stop).toMatchObject({ reason: kept });
  });

  it("of a megabyte is none", () => {
    const stop = { kind: "stop", runId: "netrun_1", reason: "a".repeat(1 << 20) };
    expect(intent.safeParse(stop).success).toBe(false);
  });
});
