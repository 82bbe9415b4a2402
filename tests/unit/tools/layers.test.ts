import { describe, expect, it } from "vitest";
import { checkLayers } from "../../../tools/layers/check.ts";
import { importsOf } from "../../../tools/layers/imports.ts";
import { tokenize } from "../../../tools/layers/tokens.ts";

const rulesOf = (files: Record<string, string>): readonly string[] =>
  checkLayers(Object.entries(files).map(([path, text]) => ({ path, text }))).map((found) => found.rule);

describe("layering (architecture section 3): violating imports are refused", () => {
  const refused: readonly [string, string, string, string][] = [
    [
      "domain entering records",
      "shared/domain/a.ts",
      'import { x } from "../records/index.ts";',
      "direction",
    ],
    [
      "shared entering main",
      "shared/api/a.ts",
      'import { x } from "../../main/store/index.ts";',
      "direction",
    ],
    [
      "renderer entering main",
      "renderer/a.tsx",
      'import { x } from "../main/console/index.ts";',
      "direction",
    ],
    [
      "orchestrator entering the adapter",
      "main/orchestrator/a.ts",
      'import { x } from "../store/kintone/index.ts";',
      "direction",
    ],
    [
      "orchestrator running code of the store",
      "main/orchestrator/a.ts",
      'import { x } from "../store/index.ts";',
      "types-only",
    ],
    [
      "orchestrator running code of process",
      "main/orchestrator/a.ts",
      'import { x } from "../process/index.ts";',
      "types-only",
    ],
    [
      "attempt entering orchestrator",
      "main/attempt/a.ts",
      'import { x } from "../orchestrator/index.ts";',
      "direction",
    ],
    [
      "process entering attempt",
      "main/process/a.ts",
      'import { x } from "../attempt/index.ts";',
      "direction",
    ],
    [
      "store adapter entering orchestrator",
      "main/store/kintone/a.ts",
      'import { x } from "../../orchestrator/index.ts";',
      "direction",
    ],
    ["client entering the store", "main/kintone-client/a.ts", 'import "../store/index.ts";', "direction"],
    ["local kintone entering store", "main/local-kintone/a.ts", 'import "../store/index.ts";', "direction"],
    ["fleet entering orchestrator", "main/fleet/a.ts", 'import "../orchestrator/index.ts";', "direction"],
    ["bundles entering store", "main/bundles/a.ts", 'import "../store/index.ts";', "direction"],
    ["job runner entering attempt", "main/job-runner/a.ts", 'import "../attempt/index.ts";', "direction"],
    ["drills entering local kintone", "main/drills/a.ts", 'import "../local-kintone/index.ts";', "direction"],
    ["console entering a front", "main/console/a.ts", 'import "../loopback/index.ts";', "direction"],
    ["front entering orchestrator", "main/loopback/a.ts", 'import "../orchestrator/index.ts";', "direction"],
    ["front entering domain", "main/desktop/a.ts", 'import "../../shared/domain/keys.ts";', "direction"],
    ["anybody entering main/index.ts", "main/cli/a.ts", 'import "../index.ts";', "direction"],
    ["inner file of a room", "main/console/a.ts", 'import "../orchestrator/scheduler.ts";', "entrance"],
    ["Node in shared", "shared/domain/a.ts", 'import { readFile } from "node:fs";', "node"],
    ["Node in renderer", "renderer/a.ts", 'import "node:path";', "node"],
    ["React in main", "main/console/a.ts", 'import React from "react";', "package"],
    ["kintone client beside its room", "main/console/a.ts", 'import "@kintone/rest-api-client";', "package"],
    ["unknown package", "main/console/a.ts", 'import "left-pad/deep";', "package"],
    ["file without a room", "lib/a.ts", "export const x = 1;", "room"],
    ["clock in shared", "shared/domain/a.ts", "export const t = Date.now();", "pure"],
    ["chance in shared", "shared/domain/a.ts", "export const r = Math.random();", "pure"],
  ];
  it.each(refused)("%s", (_, path, text, rule) => {
    expect(rulesOf({ [path]: text })).toEqual([rule]);
  });

  it.each([
    ["import()", 'const x = await import("../../main/store/index.ts");'],
    ["type import()", 'export type X = import("../../main/store/index.ts").X;'],
    ["import type", 'import type { X } from "../../main/store/index.ts";'],
    ["re-export", 'export { x } from "../../main/store/index.ts";'],
    ["re-export of all", 'export * from "../../main/store/index.ts";'],
    ["require", 'const x = require("../../main/store/index.ts");'],
  ])("sees an import written as %s", (_, text) => {
    expect(rulesOf({ "shared/api/a.ts": text })).toEqual(["direction"]);
  });

  it("finds a cycle, and type imports count", () => {
    const files = {
      "shared/domain/a.ts": 'import type { B } from "./b.ts"; export type A = B;',
      "shared/domain/b.ts": 'import type { C } from "./c.ts"; export type B = C;',
      "shared/domain/c.ts": 'import type { A } from "./a.ts"; export type C = A;',
    };
    expect(rulesOf(files)).toEqual(["cycle"]);
  });

  it.each(["ipcMain.handle", "webContents.send", "ipcRenderer.on", "BrowserWindow"])(
    "keeps %s in one file",
    (use) => {
      const text = `export const x = win.${use}("a");`;
      expect(rulesOf({ "main/desktop/a.ts": text, "main/desktop/b.ts": text })).toEqual(["one-file"]);
      expect(rulesOf({ "main/desktop/a.ts": text })).toEqual([]);
    },
  );
});

describe("layering (architecture section 3): what is allowed passes", () => {
  it.each([
    ["main/orchestrator/a.ts", 'import type { FlowStore } from "../store/index.ts";'],
    ["main/orchestrator/a.ts", 'import { createAttempts } from "../attempt/index.ts";'],
    ["main/store/kintone/a.ts", 'import type { FlowStore } from "../ports.ts";'],
    ["main/store/kintone/a.ts", 'import { createTransport } from "../../kintone-client/index.ts";'],
    ["main/console/a.ts", 'import { createKintoneStore } from "../store/kintone/index.ts";'],
    ["main/cli/a.ts", 'import { createLoopback } from "../loopback/index.ts";'],
    ["shared/records/a.ts", 'import { sha256 } from "@noble/hashes/sha2.js";'],
    ["main/index.ts", 'import { openWindow } from "./desktop/index.ts"; import "electron";'],
  ])("%s: %s", (path, text) => {
    expect(rulesOf({ [path]: text })).toEqual([]);
  });
});

describe("the scanner behind it", () => {
  const specifiers = (source: string) => importsOf(tokenize(source)).map((edge) => edge.specifier);

  it("does not take quoted, commented or member text for an import", () => {
    const source = [
      '// import "a";',
      '/* export * from "b"; */',
      "const s = 'import \"c\";';",
      `const t = \`import "d" \${run(\`nested \${"x"}\`)} import "e"\`;`,
      'const r = /import "f"/;',
      'object.import("g");',
      "const u = import.meta.url;",
    ].join("\n");
    expect(specifiers(source)).toEqual([]);
  });

  it("finds an import inside a template's expression and after a regular expression", () => {
    const source = `const t = \`a \${await import("h")} b\`; const r = /[/"]/g; import("i");`;
    expect(specifiers(source)).toEqual(["h", "i"]);
  });

  it("tells type imports from a default import named type", () => {
    const edges = importsOf(
      tokenize('import type from "a"; import type { B } from "b"; import { type C } from "c";'),
    );
    expect(edges.map((edge) => edge.typeOnly)).toEqual([false, true, false]);
  });

  it("names the line of the import", () => {
    expect(importsOf(tokenize('const a = `x\ny`;\n\nimport "b";'))[0]?.line).toBe(4);
  });
});
