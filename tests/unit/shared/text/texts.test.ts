import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEXTS } from "../../../../renderer/text/texts.ts";
import operations from "../../../../shared/text/operations.ja.json" with { type: "json" };
import { readSubjects, subjectFaults } from "../../../../tools/check/text-files.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");

/** Leaves of a text file by their dotted keys. */
function leaves(value: unknown, path = ""): Map<string, string> {
  if (typeof value === "string") return new Map([[path, value]]);
  const found = new Map<string, string>();
  for (const [key, child] of Object.entries(value ?? {})) {
    for (const [leaf, text] of leaves(child, path === "" ? key : `${path}.${key}`)) found.set(leaf, text);
  }
  return found;
}

function sourcesBelow(...folder: readonly string[]): string {
  const root = join(ROOT, ...folder);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
    .map((name) => readFileSync(join(root, name), "utf8"))
    .join("\n");
}

const sources = sourcesBelow("renderer");
const shell = sourcesBelow("main", "desktop");

/**
 * Keys that stand in the sources, and patterns of keys with anything in the gap: `a.b` and `a.${x}`. That no key is
 * asked for which does not exist is a matter of types (renderer/text/i18next.d.ts).
 */
function asked(): RegExp[] {
  const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const plain = [...sources.matchAll(/"([a-z][A-Za-z]*(?:\.[A-Za-z_]+)+)"/g)].map(([, key = ""]) =>
    literal(key),
  );
  const withGaps = [...sources.matchAll(/`([a-z][A-Za-z]*\.(?:\$\{[^}]*\}|[^`\s$])*)`/g)].map(
    ([, key = ""]) =>
      key
        .split(/\$\{[^}]*\}/)
        .map(literal)
        .join("\\w+"),
  );
  return [...new Set([...plain, ...withGaps])].map((pattern) => new RegExp(`^${pattern}$`));
}

const { ja, en } = TEXTS;
/** Read by the command line as well, which has codes that no page shows. */
const shared = Object.keys(operations);
const japanese = leaves(ja);
/** English by the keys of the source: its plural stands under a text's own key, its singulars apart. */
const everyEnglish = leaves(en);
const english = new Map(
  [...everyEnglish]
    .filter(([key]) => !key.endsWith("_one"))
    .map(([key, text]) => [key.replace(/_other$/, ""), text]),
);
const gaps = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)(?:, number)?\}\}/g)].map(([, name = ""]) => name).sort();

describe("texts (operator-ux §5.1, bilingual)", () => {
  it("has every key in both languages, in one order", () => {
    expect([...english.keys()]).toEqual([...japanese.keys()]);
  });

  it("has every subject's file on the pages, and no two subjects with one first key", () => {
    const subjects = readSubjects(join(ROOT, "shared", "text"));
    expect(subjectFaults(subjects)).toEqual([]);
    // The runbook is read by code and not by key; what it must hold, its own test says.
    const onPages = subjects.filter(({ name }) => name !== "runbook");
    expect(Object.keys(ja).sort()).toEqual(onPages.flatMap((each) => Object.keys(each.ja)).sort());
    expect(Object.keys(en).sort()).toEqual(Object.keys(ja).sort());
  });

  it("has no empty text and the same gaps to fill in both languages", () => {
    for (const [key, text] of japanese) {
      const other = english.get(key) ?? "";
      expect([key, text.trim(), other.trim()]).not.toContain("");
      expect([key, gaps(other)]).toEqual([key, gaps(text)]);
    }
  });

  it("has with every English singular the plural, and fills no other gaps in it", () => {
    const singulars = [...everyEnglish].filter(([key]) => key.endsWith("_one"));
    expect(singulars.length).toBeGreaterThan(10);
    for (const [key, text] of singulars) {
      const plural = everyEnglish.get(key.replace(/_one$/, "_other")) ?? "";
      expect([key, plural]).not.toContain("");
      expect(gaps(plural)).toEqual(expect.arrayContaining(gaps(text)));
    }
  });

  it("has no text that no page asks for", () => {
    const keys = asked();
    expect(keys.length).toBeGreaterThan(50);
    const elsewhere = ["desktop", ...shared];
    const ofPages = [...japanese.keys()].filter((key) => !elsewhere.includes(key.split(".")[0] ?? ""));
    expect(ofPages.filter((key) => !keys.some((wanted) => wanted.test(key)))).toEqual([]);
  });

  it("has no text that the desktop shell does not read", () => {
    const ofShell = [...japanese.keys()].filter((key) => key.startsWith("desktop."));
    const unread = ofShell.filter((key) => !new RegExp(`\\b${key.split(".").at(-1)}\\b`).test(shell));
    expect(unread).toEqual([]);
  });

  it("never calls a stored RUNNING 実行中 (operator-ux §5.2)", () => {
    expect(ja.status.run.RUNNING).toBe("未完了");
    expect(ja.status.outcome.RUNNING).toBe("未完了");
  });

  it("says キャンセル for closing a form only, 取消 for the domain's verb (operator-ux §5.1)", () => {
    expect([...japanese].filter(([, text]) => text.includes("キャンセル")).map(([key]) => key)).toEqual([
      "start.cancel",
    ]);
  });

  it("has no full-width digits and no exclamation", () => {
    expect([...japanese.values()].filter((text) => /[０-９！!]/.test(text))).toEqual([]);
  });
});
