import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findEvidence, keepEvidenceBytes, keptName } from "../../../../main/console/evidence-files.ts";
import { value } from "../../../support/console-fixture.ts";

const BYTES = new TextEncoder().encode("the switched off host");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-evidence-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("files given as proof (decisions §3)", () => {
  it("are kept once when the same one is given many times at the same moment", async () => {
    const given = Array.from({ length: 12 }, () => keepEvidenceBytes(folder, "photo.txt", BYTES));
    const kept = (await Promise.all(given)).map(value);
    const [{ sha256 } = { sha256: "" }] = kept;
    expect(new Set(kept.map((each) => each.sha256)).size).toBe(1);
    expect(await readdir(folder)).toEqual([`${sha256}-photo.txt`]);
  });

  it("are written anew where the kept one is not what was given any more", async () => {
    const { sha256 } = value(await keepEvidenceBytes(folder, "photo.txt", BYTES));
    const path = join(folder, `${sha256}-photo.txt`);
    await writeFile(path, "the switched on  host");
    value(await keepEvidenceBytes(folder, "photo.txt", BYTES));
    expect(await readFile(path, "utf8")).toBe("the switched off host");
  });

  it("are not found behind a link that leads nowhere", async () => {
    const sha256 = "a".repeat(64);
    await symlink(join(folder, "nowhere"), join(folder, `${sha256}-photo.txt`));
    expect(await findEvidence(folder, sha256)).toBeNull();
  });

  it.each([
    ["../../up.txt", "up.txt"],
    ["C:\\Windows\\win.ini", "win.ini"],
    ["photo.txt:hidden", "photo.txt_hidden"],
    ["a\u0000b", "a_b"],
    ["fdp.\u202etxt", "fdp._txt"],
    ["name. . ", "name"],
    ["..", "file"],
  ])("have a name any file system takes: %j", (name, kept) => {
    expect(keptName(name)).toBe(kept);
  });
});
