import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesBelow, hashesOf } from "../../../main/drills/retry-boundaries/files.ts";
import { orderOf } from "../../../main/drills/retry-boundaries/verify/order.ts";
import { COMPLETE_LINE, createScratch, drill, readObservations, type Scratch } from "./support.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch();
});
afterAll(() => scratch.dispose());

describe("the output folder (retry-boundaries §2, RB-A2, RB-A3)", () => {
  it("belongs to one of two simultaneous starts; a third is refused; two runs agree in everything", async () => {
    const [first, second] = [scratch.path("first"), scratch.path("second")];
    const twice = await Promise.all([drill(first, "A-G", "delete"), drill(first, "A-G", "delete")]);
    expect(twice.map((end) => end.exitCode).sort()).toEqual([0, 2]);
    expect(twice.map((end) => end.stdout).sort()).toEqual(["", COMPLETE_LINE]);

    expect((await drill(second, "A-G", "delete")).stdout).toBe(COMPLETE_LINE);
    expect(orderOf(readObservations(second))).toEqual(orderOf(readObservations(first)));

    const before = hashesOf(first);
    const third = await drill(first, "A-G", "delete");
    expect(third).toMatchObject({ exitCode: 2, stdout: "" });
    expect(third.stderr).toMatch(/^Error \[OUTPUT_EXISTS\]/);
    expect(hashesOf(first)).toEqual(before);
  });

  it.each<[string, (path: string) => void]>([
    ["an empty folder", (path) => mkdirSync(path)],
    ["a file", (path) => writeFileSync(path, "mine")],
    // A junction on Windows: links to folders need no right there.
    ["a link to nowhere", (path) => symlinkSync(`${path}-nowhere`, path, "junction")],
  ])("is refused when it is %s", async (name, make) => {
    const path = scratch.path(name);
    make(path);
    expect(await drill(path, "A-G", "delete")).toMatchObject({ exitCode: 2, stdout: "" });
    expect(filesBelow(dirname(path)).filter((file) => file.startsWith(`${name}/`))).toEqual([]);
  });

  it("needs an existing parent, and says so", async () => {
    const end = await drill(scratch.path("no/such/folder"), "A-G", "delete");
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toMatch(/^Error \[OUTPUT_PARENT_MISSING\]/);
  });
});
