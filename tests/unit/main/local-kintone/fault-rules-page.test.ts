import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { effectSchema } from "../../../../main/local-kintone/faults/effect-schema.ts";
import { ruleSchema, ruleSetSchema } from "../../../../main/local-kintone/faults/rule-schema.ts";

const page = readFileSync(new URL("../../../../docs/local-kintone-faults.md", import.meta.url), "utf8");
const examples: readonly unknown[] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) =>
  JSON.parse(text),
);
const rules = examples.flatMap((example) =>
  Array.isArray(example)
    ? example.map((rule: unknown) => ruleSchema.parse(rule))
    : ruleSetSchema.parse(example).rules,
);

describe("the page of faults (docs/local-kintone-faults.md)", () => {
  it("shows rules that are rules, every id once", () => {
    const ids = rules.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shows every kind of effect and every point F1 to F30", () => {
    const shown = new Set(rules.map(({ effect }) => effect.kind));
    const kinds = effectSchema.options.map((option) => option.shape.kind.value);
    expect(kinds.filter((kind) => !shown.has(kind))).toEqual([]);
    const points = Array.from({ length: 30 }, (_, index) => `f${index + 1}`);
    expect(
      points.filter((point) => !rules.some(({ id }) => id === point || id.startsWith(`${point}-`))),
    ).toEqual([]);
  });
});
