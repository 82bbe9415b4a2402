import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Vault } from "../../../../main/desktop/ports.ts";
import { createSealedSecrets } from "../../../../main/desktop/secrets/store.ts";

/** Real encryption with a key of its own: another vault is another account. */
function createVault(options: { available?: boolean; stale?: boolean } = {}): Vault {
  const key = randomBytes(32);
  return {
    available: async () => options.available ?? true,
    async seal(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    async open(blob) {
      const bytes = Buffer.from(blob);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(-16));
      const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString(
        "utf8",
      );
      return { text, stale: options.stale ?? false };
    },
  };
}

const NAME = "connection.main.state";
const TOKEN = "canary-token-0123456789";
let folder: string;
let aside: string[];
const file = () => join(folder, "secrets.json");
const store = (vault: Vault) =>
  createSealedSecrets({
    file: file(),
    vault,
    nowMs: () => Date.UTC(2026, 8, 1),
    keptAside: (path) => aside.push(path),
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-secrets-"));
  aside = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("secrets of the desktop (electron-desktop S1–S4)", () => {
  it("come back as they were stored, and lie on the disk only sealed, for this account alone", async () => {
    const vault = createVault();
    await store(vault).set(NAME, TOKEN);
    expect(await store(vault).get(NAME)).toBe(TOKEN);
    expect(await store(vault).has(NAME)).toBe(true);
    const text = await readFile(file(), "utf8");
    expect(text).toContain(NAME);
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(Buffer.from(TOKEN).toString("base64").slice(0, 12));
    expect((await stat(file())).mode & 0o077).toBe(0);
  });

  it("that were never stored are none", async () => {
    const secrets = store(createVault());
    expect([await secrets.get(NAME), await secrets.has(NAME), await secrets.undecryptable()]).toEqual([
      null,
      false,
      [],
    ]);
  });

  it("of another account cannot be opened: they are there, to be entered again (S2)", async () => {
    await store(createVault()).set(NAME, TOKEN);
    const other = store(createVault());
    expect(await other.get(NAME)).toBeNull();
    expect(await other.has(NAME)).toBe(true);
    expect(await other.undecryptable()).toEqual([NAME]);
  });

  it.each(["set", "remove"] as const)(
    "that cannot be opened are kept aside by %s, and open again there",
    async (way) => {
      const vault = createVault();
      await store(vault).set(NAME, TOKEN);
      const other = store(createVault());
      if (way === "set") await other.set(NAME, "another-token");
      else await other.remove(NAME);
      expect(await other.get(NAME)).toBe(way === "set" ? "another-token" : null);
      expect(aside).toHaveLength(1);
      await writeFile(file(), await readFile(aside[0] ?? "", "utf8"));
      expect(await store(vault).get(NAME)).toBe(TOKEN);
    },
  );

  it.each(["", "not json", '{"kind":"FLOWNET_SECRETS","formatVersion":2,"entries":{}}', '{"entries":{}}'])(
    "in a file that is none (%s) are put aside, never deleted",
    async (text) => {
      await writeFile(file(), text);
      const secrets = store(createVault());
      expect(await secrets.get(NAME)).toBeNull();
      await secrets.set(NAME, TOKEN);
      expect(await secrets.get(NAME)).toBe(TOKEN);
      expect(await Promise.all(aside.map((path) => readFile(path, "utf8")))).toEqual([text]);
    },
  );

  it("are not stored where the system cannot encrypt (S3)", async () => {
    const secrets = store(createVault({ available: false }));
    expect(await secrets.state()).toBe("unavailable");
    await expect(secrets.set(NAME, TOKEN)).rejects.toMatchObject({
      problem: { code: "SECRET_STORE_UNAVAILABLE" },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ["../x", TOKEN],
    ["", TOKEN],
    [NAME, ""],
  ])("named %j with value %j are refused", async (name, value) => {
    await expect(store(createVault()).set(name, value)).rejects.toMatchObject({
      problem: { code: "SECRET_INVALID" },
    });
  });

  it("are sealed again when the system says the key is old (S1)", async () => {
    const vault = createVault({ stale: true });
    await store(vault).set(NAME, TOKEN);
    const before = await readFile(file(), "utf8");
    expect(await store(vault).get(NAME)).toBe(TOKEN);
    expect(await readFile(file(), "utf8")).not.toBe(before);
    expect(await store(vault).get(NAME)).toBe(TOKEN);
  });

  it("changed at the same time all arrive", async () => {
    const secrets = store(createVault());
    const names = Array.from({ length: 20 }, (_, index) => `connection.main.slot${index}`);
    await Promise.all(names.map((name) => secrets.set(name, `value of ${name}`)));
    expect(await Promise.all(names.map((name) => secrets.get(name)))).toEqual(
      names.map((name) => `value of ${name}`),
    );
  });
});
