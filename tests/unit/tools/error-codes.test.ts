import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSchedules } from "../../../shared/domain/expectation-schema.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const NAME = "([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|CANCELLED|ABANDONED|STALE)";
/** A code as it stands in the source: in a problem, handed to what makes one, or one of two. */
const CODES = [
  `\\bcode: "${NAME}"`,
  `(?:[Rr]efuse|[Rr]eject|[Pp]roblem)\\((?:\\w+,\\s+)?\\s*"${NAME}"`,
  `\\bcode(?::| =) [^;\\n]*\\? "${NAME}"`,
  `\\bcode(?::| =) [^;\\n]*\\? "[A-Z_]+" : "${NAME}"`,
  `(?:[Rr]efuse|[Rr]eject)\\(\\w+ \\? "${NAME}"`,
].map((pattern) => new RegExp(pattern, "g"));
/** The reasons in it are ends of codes, not codes. */
const REASONS = "domain/identifier.ts";
/** kintone's own words, which a local kintone says in its place. */
const KINTONES_OWN = /^(?:GAIA|CB)_/;

async function codesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const names = await readdir(join(ROOT, folder), { recursive: true });
  for (const name of names.filter((each) => each.endsWith(".ts") && !each.endsWith(REASONS)).sort()) {
    const text = await readFile(join(ROOT, folder, name), "utf8");
    for (const [, code = ""] of CODES.flatMap((pattern) => [...text.matchAll(pattern)])) {
      if (!KINTONES_OWN.test(code)) found.set(code, `${folder}/${name}`);
    }
  }
  return found;
}

const page = (name: string): Promise<string> => readFile(join(ROOT, "docs", name), "utf8");

describe("the page of error codes", () => {
  it.each(["main", "shared"])(
    "names every code of %s, where it comes from and what to do",
    async (folder) => {
      const errors = await page("errors.md");
      // A drill's findings are explained where the drill is.
      const drills = errors + (await page("retry-boundaries.md"));
      const codes = await codesBelow(folder);
      expect(codes.size).toBeGreaterThan(50);
      const missing = [...codes].filter(([code, file]) => {
        const text = file.startsWith("main/drills/") ? drills : errors;
        return !text.includes(`\`${code}\``);
      });
      expect(missing).toEqual([]);
    },
  );

  it("explains each code it lists once", async () => {
    const rows = [...(await page("errors.md")).matchAll(/^\| `([A-Z0-9_]+)` +\| (.+?) +\| (.+?) +\|$/gm)];
    const listed = rows.map(([, code]) => code);
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.filter((code, at) => listed.indexOf(code) !== at)).toEqual([]);
    expect(rows.filter(([, , means = "", what = ""]) => means.length < 10 || what.length < 5)).toEqual([]);
  });
});

describe("the page of schedules.json (decisions §2, §5)", () => {
  it.each(["schedules.md", "schedules.ja.md"])("%s has an example that is one", async (name) => {
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(await page(name)) ?? [];
    const parsed = parseSchedules(JSON.parse(example), name);
    expect(parsed.ok && parsed.value.map((each) => each.networkId)).toEqual([
      "sales_import",
      "monthly_summary",
    ]);
  });
});
