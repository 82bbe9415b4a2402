import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findEvidence, keepEvidenceBytes, keptName } from "../../../../main/console/evidence-files.ts";
import { code, value } from "../../../support/console-fixture.ts";

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

  it("are no proof any more once somebody changed what is kept", async () => {
    const { sha256 } = value(await keepEvidenceBytes(folder, "photo.txt", BYTES));
    expect(await findEvidence(folder, sha256)).toEqual({
      name: "photo.txt",
      sha256,
      bytes: BYTES.byteLength,
    });
    await writeFile(join(folder, `${sha256}-photo.txt`), "the switched on  host");
    expect(await findEvidence(folder, sha256)).toBeNull();
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ["a link that leads nowhere", (path) => symlink(join(folder, "nowhere"), path)],
    [
      "a link to the very bytes, which may lead elsewhere tomorrow",
      async (path) => {
        await writeFile(join(folder, "elsewhere"), BYTES);
        await symlink(join(folder, "elsewhere"), path);
      },
    ],
    ["a folder", (path) => mkdir(path)],
    ["a file of other bytes", (path) => writeFile(path, "other")],
  ])("are not found in %s", async (_, make) => {
    const sha256 = createHash("sha256").update(BYTES).digest("hex");
    await make(join(folder, `${sha256}-photo.txt`));
    expect(await findEvidence(folder, sha256)).toBeNull();
  });

  it("are called by the name they were given under last", async () => {
    const { sha256 } = value(await keepEvidenceBytes(folder, "a-old-incident.txt", BYTES));
    await utimes(join(folder, `${sha256}-a-old-incident.txt`), 1, 1);
    value(await keepEvidenceBytes(folder, "z-stop-proof.txt", BYTES));
    expect((await findEvidence(folder, sha256))?.name).toBe("z-stop-proof.txt");
    await utimes(join(folder, `${sha256}-z-stop-proof.txt`), 1, 1);
    value(await keepEvidenceBytes(folder, "a-old-incident.txt", BYTES));
    expect((await findEvidence(folder, sha256))?.name).toBe("a-old-incident.txt");
  });

  it("say something: an empty one is not kept", async () => {
    expect(code(await keepEvidenceBytes(folder, "photo.txt", new Uint8Array()))).toBe("EVIDENCE_FILE_EMPTY");
    expect(await readdir(folder)).toEqual([]);
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
