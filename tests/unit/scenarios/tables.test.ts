import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACCEPTANCE } from "../../scenarios/acceptance.ts";
import type { Proof } from "../../scenarios/proof.ts";
import { WEAKNESSES } from "../../scenarios/weaknesses.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const text = (file: string): Promise<string> => readFile(join(ROOT, file), "utf8").catch(() => "");
/** The names of the tests of a file: what opens a call of `it`, `test` or of their tables. */
const NAMES = /(?:\bit\(|\btest\(|\]\)\()\s*("(?:[^"\\]|\\.)+")/g;

async function missing(proofs: readonly Proof[]): Promise<readonly Proof[]> {
  const files = new Map<string, ReadonlySet<string | undefined>>();
  for (const file of new Set(proofs.map((each) => each.file))) {
    files.set(file, new Set([...(await text(file)).matchAll(NAMES)].map(([, name]) => name)));
  }
  return proofs.filter(({ file, test }) => files.get(file)?.has(JSON.stringify(test)) !== true);
}

describe("the 43 acceptance scenarios (orchestration section 10)", () => {
  it("all stand in the table, each once, in their order", () => {
    expect(ACCEPTANCE.map(({ no }) => no)).toEqual(Array.from({ length: 43 }, (_, at) => at + 1));
    expect(new Set(ACCEPTANCE.map(({ name }) => name)).size).toBe(43);
  });

  it("each is proven by tests that exist, or says by what it is proven instead", async () => {
    expect(await missing(ACCEPTANCE.flatMap(({ proofs }) => proofs))).toEqual([]);
    for (const { name, proofs, outside } of ACCEPTANCE) {
      expect(proofs.length > 0 || outside !== undefined, name).toBe(true);
      if (outside !== undefined) expect(await text(outside.file), name).toContain(outside.text);
    }
  });

  it("a test that was renamed is missed", async () => {
    const [first] = ACCEPTANCE.flatMap(({ proofs }) => proofs);
    const renamed = { file: first?.file ?? "", test: `${first?.test} no more` };
    expect(await missing([renamed])).toEqual([renamed]);
  });
});

describe("the weaknesses of the peer (orchestration section 11.1)", () => {
  it("W-01 to W-33 all stand in the table, each once", () => {
    const numbered = Array.from({ length: 33 }, (_, at) => `W-${String(at + 1).padStart(2, "0")}`);
    const all = [...numbered, "W-08b", "W-17b"].toSorted();
    expect(WEAKNESSES.map(({ id }) => id).toSorted()).toEqual(all);
  });

  it("each shows its accident and what ours comes to, by tests that exist", async () => {
    const named = WEAKNESSES.flatMap(({ accident, outcomes }) => [
      ...(typeof accident === "string" ? [] : [accident]),
      ...outcomes,
    ]);
    expect(await missing(named)).toEqual([]);
    expect(WEAKNESSES.filter(({ outcomes }) => outcomes.length === 0)).toEqual([]);
    const inWords = WEAKNESSES.filter(({ accident }) => typeof accident === "string");
    expect(inWords.map(({ id }) => id)).toEqual(["W-11"]);
  });
});
