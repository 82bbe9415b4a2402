import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyRetryBoundaries } from "../../../main/drills/index.ts";
import { documentText, hashesOf } from "../../../main/drills/retry-boundaries/files.ts";
import { flownet } from "../../support/flownet-command.ts";
import { COMPLETE_LINE, createScratch, drill, type Scratch } from "./support.ts";

let scratch: Scratch;
let run: string;
let copies = 0;

beforeAll(async () => {
  scratch = createScratch();
  run = scratch.path("run");
  expect((await drill(run, "A-G", "delete")).stdout).toBe(COMPLETE_LINE);
});
afterAll(() => scratch.dispose());

const copy = (): string => {
  copies += 1;
  return scratch.copyOf(run, `copy ${copies}`);
};

/** Changes one byte in the middle of a file. */
function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(path, bytes);
}

function replaceIn(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(path, "utf8");
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}

/** Makes the hashes agree again: what a forger would do next. */
function reseal(folder: string): void {
  writeFileSync(join(folder, "artifact-hashes.json"), documentText(hashesOf(folder)));
}

const FILES = ["manifest.json", "observations.jsonl", "results.json", "artifact-hashes.json"];
const CASES = ["A-no-deduplication", "B-processed-first", "C-effect-first", "D-one-transaction"];
const MORE_CASES = ["E-lost-reply", "F-overlapping-workers", "G-outside-effect"];
const DATABASES = [...CASES, ...MORE_CASES].map((folder) => `${folder}/observations.sqlite`);
const EVIDENCE = [...FILES, ...DATABASES, "G-outside-effect/outside.log"];

describe("a folder that was changed after the run (retry-boundaries §8, RB-A7)", () => {
  it.each(EVIDENCE)("is found out by one byte of %s", (name) => {
    const folder = copy();
    flipByte(join(folder, name));
    const report = verifyRetryBoundaries(folder);
    expect(report.status).toBe("DIFFERENT");
    expect(report.differences.map((one) => one.place).join("\n")).toContain(name);
  });

  it.each(EVIDENCE)("is found out by the loss of %s", (name) => {
    const folder = copy();
    rmSync(join(folder, name));
    const lastWritten = name === "results.json" || name === "artifact-hashes.json";
    expect(verifyRetryBoundaries(folder).status).toBe(lastWritten ? "INCOMPLETE" : "DIFFERENT");
  });

  it("is found out by a file that was added", () => {
    const folder = copy();
    writeFileSync(join(folder, "notes.txt"), "mine");
    expect(verifyRetryBoundaries(folder).differences).toEqual([
      { place: "notes.txt", message: "is not among the files of the run" },
    ]);
  });

  it("names the file on the command line and ends with exit code 1", async () => {
    const folder = copy();
    flipByte(join(folder, "C-effect-first/observations.sqlite"));
    const end = await flownet(["drill", "retry-boundaries", "verify", folder]);
    expect(end.exitCode).toBe(1);
    expect(end.stdout).toContain("- C-effect-first/observations.sqlite was changed after the run");
  });
});

describe("a forger who also makes the hashes agree (retry-boundaries §8)", () => {
  it.each<[string, string, (folder: string) => void]>([
    [
      "a row removed from a ledger",
      "C-effect-first/observations.sqlite",
      (folder) => {
        const database = new DatabaseSync(join(folder, "C-effect-first/observations.sqlite"));
        database.exec("DELETE FROM effects WHERE effect_id = 2");
        database.close();
      },
    ],
    [
      "a line added outside",
      "G-outside-effect/observations.sqlite",
      (folder) => appendFileSync(join(folder, "G-outside-effect/outside.log"), "demo-event-001\n"),
    ],
    [
      "another verdict in the results",
      "results.json",
      (folder) => replaceIn(join(folder, "results.json"), '"match": true', '"match": false'),
    ],
    [
      "other expected values",
      "manifest.json",
      (folder) =>
        replaceIn(
          join(folder, "manifest.json"),
          /"counts": \[\s+0,\s+1,\s+0\s+\]/,
          '"counts": [\n            0,\n            2,\n            0\n          ]',
        ),
    ],
    [
      "a refusal removed from the observations",
      "observations.jsonl",
      (folder) => {
        const path = join(folder, "observations.jsonl");
        const lines = readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => !line.includes('"kind":"busy"'));
        const numbered = lines.map((line, index) => line.replace(/"seq":\d+/, `"seq":${index + 1}`));
        writeFileSync(path, numbered.join("\n"));
      },
    ],
  ])("is found out by the contents: %s", (_what, place, forge) => {
    const folder = copy();
    forge(folder);
    reseal(folder);
    const report = verifyRetryBoundaries(folder);
    expect(report.status).toBe("DIFFERENT");
    expect(report.differences.map((one) => one.place).join("\n")).toContain(place);
  });
});

describe("a folder from elsewhere (retry-boundaries §8)", () => {
  it("is accepted, and what cannot be checked about it is named", () => {
    const folder = copy();
    const manifest = join(folder, "manifest.json");
    replaceIn(manifest, /"os": "[^"]+"/, '"os": "another-system"');
    replaceIn(manifest, /"child\/main.ts": "[0-9a-f]{64}"/, `"child/main.ts": "${"0".repeat(64)}"`);
    reseal(folder);
    const report = verifyRetryBoundaries(folder);
    expect(report.status).toBe("VERIFIED");
    const named = report.notChecked.map(({ what, why }) => `${what}: ${why}`).join("\n");
    expect(named).toMatch(/the environment: made elsewhere: another-system/);
    expect(named).toMatch(/the code that made this folder: .*child\/main\.ts/);
  });

  it("is refused by name when there is none", async () => {
    const end = await flownet(["drill", "retry-boundaries", "verify", scratch.path("nothing")]);
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toMatch(/^Error \[DRILL_FOLDER_MISSING\]/);
  });
});
