import { describe, expect, it } from "vitest";
import { TEXTS } from "../../../../renderer/text/texts.ts";
import { guidanceOfCode, OWN_GUIDANCE_CODES } from "../../../../shared/domain/guidance.ts";
import { NEXT_CODES } from "../../../../shared/domain/next-action.ts";
import en from "../../../../shared/text/runbook.en.json" with { type: "json" };
import ja from "../../../../shared/text/runbook.ja.json" with { type: "json" };

const sorted = (codes: Iterable<string>): readonly string[] => [...codes].sort();

describe("the runbook of result codes (operator-ux §1.2, orchestration §11.4)", () => {
  it.each([
    ["ja", ja.runbook, TEXTS.ja],
    ["en", en.runbook, TEXTS.en],
  ] as const)("has words for every code of the table in %s", (_language, runbook, texts) => {
    const missing = NEXT_CODES.filter(
      (code) => !Object.hasOwn(runbook.more, code) || !Object.hasOwn(texts.next, code),
    );
    expect(missing).toEqual([]);
    expect(sorted(Object.keys(runbook.own))).toEqual(sorted(OWN_GUIDANCE_CODES));
  });

  it("has no words for a code that no table knows", () => {
    const strange = Object.keys(ja.runbook.more).filter((code) => guidanceOfCode(code).kind !== "next");
    expect(strange).toEqual([]);
  });

  it.each([
    ["UNKNOWN", "NODE_RESULT_UNKNOWN"],
    ["BUNDLE_HASH_MISMATCH", "BUNDLE"],
    ["LOCK_CONFLICT", "LOCK_CONFLICT"],
  ])("%s is answered with the guidance of %s", (code, expected) => {
    expect(guidanceOfCode(code)).toMatchObject({ kind: "next", action: { code: expected } });
  });

  it("says of a code nobody knows that nobody knows it", () => {
    expect(guidanceOfCode("SOMETHING_NEW")).toEqual({ kind: "unknown" });
  });
});
