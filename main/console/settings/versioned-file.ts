import { z } from "zod";
import { sha256Hex } from "../../../shared/domain/hash.ts";
import { errorText, FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { writePrivateFile } from "../data-dir.ts";
import { parseJson, readTextFile } from "../workspace-config.ts";
import { createQueue } from "./queue.ts";

/** A file as it stands; `readOnly` says why nothing may be written over it. */
export interface VersionedContent<T> {
  /** Of the bytes on disk; `none` without a file. */
  readonly revision: string;
  /** Null without a file, and for one that cannot be understood. */
  readonly value: T | null;
  readonly readOnly: Problem | null;
}

export interface VersionedFile<T> {
  read(): Promise<VersionedContent<T>>;
  /**
   * Replaces the file, whole or not at all, if it still has this revision. Errors as `FlowError`:
   * `SETTINGS_CHANGED_ELSEWHERE`, the read-only problem, `DATA_FILE_WRITE_FAILED`.
   */
  save(revision: string, value: T): Promise<void>;
}

export interface VersionedFileOptions<T> {
  readonly path: string;
  readonly schema: z.ZodType<T>;
  /** Highest `formatVersion` this program writes. */
  readonly version: number;
}

const NO_FILE = "none";
const head = z.object({ formatVersion: z.int().positive() });

/**
 * A settings file with a kind and a format version (decisions §1). Unknown keys are refused with their place; a
 * newer version is read as far as it is understood and never written. One console writes it, the resident of the
 * data folder (decisions §2), so a queue within this process and the revision suffice against lost updates.
 */
export function createVersionedFile<T>(options: VersionedFileOptions<T>): VersionedFile<T> {
  const queue = createQueue();
  const read = (): Promise<VersionedContent<T>> => readVersioned(options);
  return {
    read,
    save: (revision, value) =>
      queue(async () => {
        const now = await read();
        if (now.readOnly !== null) throw new FlowError(now.readOnly);
        if (now.revision !== revision) throw new FlowError(changedElsewhere(options.path));
        await writePrivateFile(options.path, `${JSON.stringify(value, null, 2)}\n`);
      }),
  };
}

async function readVersioned<T>(options: VersionedFileOptions<T>): Promise<VersionedContent<T>> {
  const { path, schema, version } = options;
  let text: string | null;
  try {
    text = await readTextFile(path);
  } catch (error) {
    return { revision: "unread", value: null, readOnly: unreadable(path, errorText(error)) };
  }
  if (text === null) return { revision: NO_FILE, value: null, readOnly: null };
  const revision = sha256Hex(text).slice(0, 16);
  const raw = parseJson(text);
  const found = head.safeParse(raw).data?.formatVersion;
  if (found !== undefined && found > version) {
    const value = understoodPart(schema, raw, version);
    return { revision, value, readOnly: newer(path, found, version) };
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { revision, value: parsed.data, readOnly: null };
  return { revision, value: null, readOnly: invalid(path, raw, parsed.error) };
}

/** What of a newer version's file this program knows: without the keys it does not, or null when that is not enough. */
function understoodPart<T>(schema: z.ZodType<T>, raw: unknown, version: number): T | null {
  const copy: unknown = structuredClone(raw);
  if (isKeyed(copy)) copy.formatVersion = version;
  const parsed = schema.safeParse(copy);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((at, key) => (isKeyed(at) ? at[String(key)] : null), copy);
    if (isKeyed(holder)) for (const key of issue.keys) delete holder[key];
  }
  return schema.safeParse(copy).data ?? null;
}

const isKeyed = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function invalid(path: string, raw: unknown, error: z.ZodError): Problem {
  const issue = error.issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? [issue.keys[0] ?? ""] : [];
  const place = ["$", ...(issue?.path ?? []), ...unknown].map(String).join(".");
  const what =
    raw === undefined ? "it is not JSON" : unknown.length > 0 ? "it has a key unknown here" : issue?.message;
  return {
    code: "SETTINGS_FILE_INVALID",
    message: `The file cannot be used: ${what ?? "it is not what it should be"}. Nothing of it counts and nothing is written over it.`,
    place: `${path} ${place}`,
    remedy: "Correct the file at that place, or move it away to start from none.",
  };
}

const unreadable = (path: string, why: string): Problem => ({
  code: "SETTINGS_FILE_UNREADABLE",
  message: `The file cannot be read: ${why}`,
  place: path,
  remedy: "Give this account the right to read it.",
});

const newer = (path: string, found: number, known: number): Problem => ({
  code: "SETTINGS_VERSION_NEWER",
  message: `The file is of format version ${found}; this program knows ${known}. It is read as far as it is understood, and never written.`,
  place: `${path} $.formatVersion`,
  remedy: "Change it with the newer program, or install that here.",
  details: { found, known },
});

const changedElsewhere = (path: string): Problem => ({
  code: "SETTINGS_CHANGED_ELSEWHERE",
  message: "The file was changed since it was read here; nothing was saved.",
  place: path,
  remedy: "Read it again and make the change on top of what it says now.",
});
