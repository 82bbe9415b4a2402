import { z } from "zod";

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

/** The file of sealed secrets: names in the clear, values as the system's ciphertext (electron-desktop S1). */
export const secretFileSchema = z.strictObject({
  kind: z.literal("FLOWNET_SECRETS"),
  formatVersion: z.literal(1),
  entries: z.record(name, z.strictObject({ sealed: z.base64().max(100_000), savedAt: z.string() })),
});
export type SecretFile = z.infer<typeof secretFileSchema>;
export const EMPTY_SECRETS: SecretFile = { kind: "FLOWNET_SECRETS", formatVersion: 1, entries: {} };
export const isSecretName = (text: string): boolean => name.safeParse(text).success;
