import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEXTS } from "../../../../renderer/text/texts.ts";
import { guidanceOfCode } from "../../../../shared/domain/guidance.ts";
import { UNTOLD } from "./untold-codes.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
/** Every code there is: that the page is complete, its own test says (tests/unit/tools/error-codes.test.ts). */
const CODES = [
  ...readFileSync(join(ROOT, "docs", "errors.md"), "utf8").matchAll(/^\| `([A-Z0-9_]+)` /gm),
].map(([, code = ""]) => code);
/** As a page looks for them: its own words of the problem, else those of the runbook. */
const hasWords = (code: string): boolean =>
  Object.hasOwn(TEXTS.ja.problems, code) || guidanceOfCode(code).kind !== "unknown";
const untold = UNTOLD.flatMap(({ codes }) => codes);

/** Text of every source, by its path from the root. */
const sources = ["main", "shared", "tools"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?ts$|\.mjs$/.test(name))
    .map((name) => ({
      file: `${folder}/${name.replaceAll("\\", "/")}`,
      text: readFileSync(join(ROOT, folder, name), "utf8"),
    })),
);
const raising = (code: string): readonly string[] =>
  sources
    .filter(({ text }) => text.includes(`"${code}"`) || text.includes(`[${code}]`))
    .map(({ file }) => file);

describe("words of problems (operator-ux §5.1: cause, effect, next step)", () => {
  it("has words for every code that a page or the opening of the window can be told", () => {
    expect(CODES.length).toBeGreaterThan(300);
    expect(CODES.filter((code) => !hasWords(code) && !untold.includes(code))).toEqual([]);
  });

  it("has a reason for every code without words, once, and none for a code that is gone or has words", () => {
    expect(untold.filter((code, at) => untold.indexOf(code) !== at)).toEqual([]);
    expect(untold.filter((code) => hasWords(code) || !CODES.includes(code))).toEqual([]);
  });

  it.each(UNTOLD)("raises such a code in no other place: $why", ({ places, codes }) => {
    const raised = codes.map((code) => ({ code, files: raising(code) }));
    expect(raised.filter(({ files }) => files.length === 0)).toEqual([]);
    const at = (place: string) => (file: string) => file.startsWith(place);
    const elsewhere = raised.filter(
      ({ files }) => !files.every((file) => places.some((each) => at(each)(file))),
    );
    expect(elsewhere).toEqual([]);
    expect(places.filter((place) => !raised.some(({ files }) => files.some(at(place))))).toEqual([]);
  });

  it("has no words for a code that does not exist", () => {
    expect(Object.keys(TEXTS.ja.problems).filter((code) => !CODES.includes(code))).toEqual([]);
  });

  it.each([
    ["ja", TEXTS.ja.problems, /。$/],
    ["en", TEXTS.en.problems, /\.$/],
  ] as const)("says cause, effect and next step in whole sentences in %s", (_language, problems, end) => {
    const loose = Object.entries(problems).filter(([, { cause, effect, next }]) =>
      [cause, effect, next].some((text) => !end.test(text)),
    );
    expect(loose).toEqual([]);
  });
});
