import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** Parameters of a new hash: about a tenth of a second and 32 MB on the reference host. */
const COST = { n: 2 ** 15, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
/** A passphrase as it is kept: salted, and slow to guess (decisions §5). */
export const passphraseHash = z.strictObject({
  algorithm: z.literal("scrypt"),
  n: z
    .number()
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  r: z.number().int().min(1).max(32),
  p: z.number().int().min(1).max(16),
  salt: base64,
  key: base64,
});
export type PassphraseHash = z.infer<typeof passphraseHash>;

/** Hashes a passphrase under a salt of its own. It is taken in NFC: keyboards compose letters differently. */
export async function hashPassphrase(passphrase: string): Promise<PassphraseHash> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(passphrase, { ...COST, salt });
  return { algorithm: "scrypt", ...COST, salt: salt.toString("base64"), key: key.toString("base64") };
}

/**
 * Whether it is the passphrase of the hash; null, an account without one, takes as long and is false, so that the time
 * tells nobody which accounts there are.
 */
export async function isPassphrase(passphrase: string, hash: PassphraseHash | null): Promise<boolean> {
  const parts = hash ?? NOBODY;
  const key = await derive(passphrase, { ...parts, salt: Buffer.from(parts.salt, "base64") });
  const wanted = Buffer.from(parts.key, "base64");
  const same = key.length === wanted.length && timingSafeEqual(key, wanted);
  return hash !== null && same;
}

const NOBODY = {
  ...COST,
  salt: Buffer.alloc(SALT_BYTES).toString("base64"),
  key: Buffer.alloc(KEY_BYTES).toString("base64"),
};

function derive(
  passphrase: string,
  { n, r, p, salt }: { readonly n: number; readonly r: number; readonly p: number; readonly salt: Buffer },
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { N: n, r, p, maxmem: 256 * n * r };
  scrypt(passphrase.normalize("NFC"), salt, KEY_BYTES, options, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
