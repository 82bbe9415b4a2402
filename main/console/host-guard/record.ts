import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../data-dir.ts";

const RESIDENT_FRONTS = ["desktop", "page", "serve"] as const;
export type ResidentFront = (typeof RESIDENT_FRONTS)[number];

/** Who holds a data folder on one host; no secret is in it, because any account of the host may ask for it. */
const ownerSchema = z.strictObject({
  kind: z.literal("FLOWNET_RESIDENT"),
  formatVersion: z.literal(1),
  host: z.string(),
  /** A PID means something within one boot only; null where the system does not tell. */
  bootId: z.string().nullable(),
  /** Account of the operating system. */
  account: z.string(),
  front: z.enum(RESIDENT_FRONTS),
  /** ISO-8601 UTC. */
  since: z.string(),
  process: z.strictObject({
    pid: z.int().positive(),
    processStart: z.string().nullable(),
    image: z.string().nullable(),
  }),
});
export type ResidentOwner = z.infer<typeof ownerSchema>;

/** Reads an owner from text; null when it is none. */
export function parseOwner(text: string): ResidentOwner | null {
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What the file of a data folder says of its last owner on this host. */
export type FoundRecord =
  | { readonly kind: "none" }
  | { readonly kind: "owner"; readonly owner: ResidentOwner }
  /** It is there and cannot be read or understood. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The record of this host: a folder on a share may be used by several, each with a guard of its own. */
export const recordPath = (dataDir: string, host: string): string =>
  join(dataDir, `resident-${host.replaceAll(/[^\w.-]/g, "_")}.json`);

/** Never throws: a record that cannot be read is an answer. */
export async function readRecord(path: string): Promise<FoundRecord> {
  try {
    const owner = parseOwner(await readFile(path, "utf8"));
    // Written whole or not at all: what cannot be understood is of another version.
    return owner === null
      ? { kind: "unreadable", reason: "it is not a record of this version" }
      : { kind: "owner", owner };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "none" };
    return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Errors: `DATA_FILE_WRITE_FAILED`. */
export const writeRecord = (path: string, owner: ResidentOwner): Promise<void> =>
  writePrivateFile(path, `${JSON.stringify(owner)}\n`);

export const removeRecord = (path: string): Promise<void> => rm(path, { force: true });
