import path from "node:path";
import { describe, expect, it } from "vitest";
import { nameFault, resolveIo } from "../../../../../main/orchestrator/csv/io-paths.ts";

const root = path.resolve("io");
const facts = { businessKey: "sales@2026.08", profile: "本番", runId: "netrun_1" };
const at = (...segments: readonly string[]): string => path.join(root, ...segments);

describe("where a node's files are (orchestration §8.1)", () => {
  it.each([
    ["{business_key}.csv", "in/sales%402026%2E08.csv"],
    ["{profile}/orders.csv", "in/%E6%9C%AC%E7%95%AA/orders.csv"],
    ["a\\b//c.csv", "in/a/b/c.csv"],
    ["{business_key}{business_key}", "in/sales%402026%2E08sales%402026%2E08"],
  ])("the input pattern %s is %s", (pattern, relative) => {
    const { inputs } = resolveIo({ id: "n", inputs: { orders: pattern }, outputs: {} }, facts, root);
    expect(inputs).toEqual([
      {
        name: "orders",
        pattern,
        relative,
        segments: relative.split("/"),
        path: at(...relative.split("/")),
      },
    ]);
  });

  it.each([
    ["netrun_1", "out/netrun_1/n%2E1/report.csv"],
    [null, "out/{run_id}/n%2E1/report.csv"],
  ])("an output knows its Run (%s) and its node", (runId, relative) => {
    const node = { id: "n.1", inputs: {}, outputs: { report: "{run_id}/{node_id}/report.csv" } };
    expect(resolveIo(node, { ...facts, runId }, root).outputs).toMatchObject([{ relative }]);
  });

  it("a value stays one segment, whatever it holds", () => {
    const node = { id: "n", inputs: { a: "{business_key}" }, outputs: {} };
    const key = { ...facts, businessKey: "../../etc/passwd\\x" };
    expect(resolveIo(node, key, root).inputs[0]?.segments).toEqual([
      "in",
      "%2E%2E%2F%2E%2E%2Fetc%2Fpasswd%5Cx",
    ]);
  });

  it("sorts by name in code-unit order", () => {
    const inputs = { "\u{1f600}": "1", "\uff5e": "2", b: "3", B: "4" };
    const { inputs: sorted } = resolveIo({ id: "n", inputs, outputs: {} }, facts, root);
    expect(sorted.map(({ name }) => name)).toEqual(["B", "b", "\u{1f600}", "\uff5e"]);
  });
});

describe("names that Windows takes for something else", () => {
  it.each([
    "con.csv",
    "NUL",
    "aux.tar.gz",
    "COM1",
    "lpt9.txt",
    "com¹.csv",
    "con .csv",
    "x.",
    "x ",
    "a:b",
    "a*",
    'a"b',
  ])("%s is refused there and a name like any other elsewhere", (name) => {
    expect(nameFault(name, "win32")).toContain(name);
    expect(nameFault(name, "linux")).toBeNull();
  });
  it.each(["orders.csv", "console.csv", "com10.csv", ".hidden", "受注.csv", "a%3Ab", "com"])(
    "%s is not",
    (name) => {
      expect(nameFault(name, "win32")).toBeNull();
    },
  );
});
