import { describe, expect, it } from "vitest";
import { failureText, playwrightFailures, vitestFailures } from "../../../tools/check/failures.ts";

const ESC = String.fromCharCode(27);

describe("the failures named at the end of npm test", () => {
  it("are Vitest's failed tests with the first words of why, without colours", () => {
    const report = {
      testResults: [
        {
          name: "/repo/a.test.ts",
          status: "failed",
          assertionResults: [
            { fullName: "it holds", status: "passed", failureMessages: [] },
            {
              fullName: "it breaks",
              status: "failed",
              failureMessages: [`${ESC}[31mexpected 1${ESC}[39m\n\nto be 2`],
            },
          ],
        },
        { name: "/repo/b.test.ts", status: "failed", message: "no such module", assertionResults: [] },
      ],
    };
    expect(vitestFailures(JSON.stringify(report))).toEqual([
      { place: "/repo/a.test.ts", title: "it breaks", why: "expected 1\nto be 2" },
      { place: "/repo/b.test.ts", title: "(the file could not be loaded)", why: "no such module" },
    ]);
  });

  it("are Playwright's failed and flaky tests of every nesting, and errors outside any test", () => {
    const spec = (title: string, ok: boolean, status: string) => ({
      title,
      ok,
      file: "runs.spec.ts",
      line: 7,
      tests: [{ status, results: [{ errors: ok ? [] : [{ message: "no button" }] }] }],
    });
    const report = {
      suites: [
        {
          specs: [spec("holds", true, "expected"), spec("breaks", false, "unexpected")],
          suites: [{ specs: [spec("wavers", true, "flaky")] }],
        },
      ],
      errors: [{ message: "the server did not start" }],
    };
    expect(playwrightFailures(JSON.stringify(report))).toEqual([
      { place: "runs.spec.ts:7", title: "breaks", why: "no button" },
      { place: "runs.spec.ts:7", title: "wavers", why: "" },
      { place: "", title: "(outside any test)", why: "the server did not start" },
    ]);
  });

  it("say no more than the beginning of a long message, indented under the test", () => {
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
    const [failure] = playwrightFailures(JSON.stringify({ suites: [], errors: [{ message: long }] }));
    const text = failure === undefined ? "" : failureText(failure);
    expect(text.split("\n")).toHaveLength(9);
    expect(text).toContain("\n      line 7");
  });

  it.each(["", "null", "{}", "not json"])("are none in %j, which is no report", (text) => {
    expect(vitestFailures(text)).toEqual([]);
    expect(playwrightFailures(text)).toEqual([]);
  });
});
