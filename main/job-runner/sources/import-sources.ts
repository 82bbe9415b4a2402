import { createHash } from "node:crypto";
import { closeSync, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { codeOf } from "../config.ts";
import { RunFailure } from "../run/failure.ts";

/** One file handed to a run under a name (execution-contract §4.3). */
export interface ImportRequest {
  readonly name: string;
  readonly kind: "CSV" | "JSON";
  /** Absolute. */
  readonly path: string;
  /** Lower-case hex the file must have; null = unchecked, only without an orchestrator. */
  readonly sha256: string | null;
}

/** A source an IMPORT statement names. */
export interface NeededSource {
  readonly name: string;
  readonly kind: "CSV" | "JSON";
}

/** One entry of the result's `input_files` (execution-contract §5.4). */
export interface InputReceipt {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows?: number;
  readonly encoding?: "UTF8" | "SJIS";
}

/** Longest source, in bytes (execution-contract §4.3). */
export const IMPORT_BYTES_MAX = 10 * 1024 * 1024;

interface Loaded {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly decoded: { readonly rows: number; readonly encoding: "UTF8" | "SJIS" }[];
}

/** The IMPORT sources of one run. */
export interface ImportSources {
  /**
   * Step 6: every source the script needs is supplied and of its kind. Gives warnings about the others.
   * Throws RunFailure `VALIDATION_ERROR` with `ImportSourceNotSuppliedError`.
   */
  check(needed: readonly NeededSource[]): readonly string[];
  /**
   * Step 12: reads every checked source once and compares its hash. Throws RunFailure `INPUT_FILE_MUTATED` or
   * `VALIDATION_ERROR` with the source error's code.
   */
  load(): void;
  /** The bytes of a loaded source; exact name. Throws RunFailure `ImportSourceNotSuppliedError`. */
  bytesOf(name: string): Uint8Array;
  /** To be told once a source is decoded and before anything of it is written (job-dialect §5.9, "Receipt"). */
  decoded(name: string, rows: number, encoding: "UTF8" | "SJIS"): void;
  /** `input_files`: sources that were read, by name; one entry for each distinct decoding. */
  receipts(): readonly InputReceipt[];
}

const invalid = (code: string, message: string): RunFailure =>
  new RunFailure("VALIDATION_ERROR", code, message);

/** Opens nothing before `load`. */
export function createImportSources(supplied: readonly ImportRequest[]): ImportSources {
  let used: readonly ImportRequest[] = [];
  const loaded = new Map<string, Loaded>();

  function find(needed: NeededSource): ImportRequest {
    const source = supplied.find(({ name }) => name === needed.name);
    if (source?.kind === needed.kind) return source;
    const why = source === undefined ? "is not supplied" : `is supplied as ${source.kind}`;
    const code = "ImportSourceNotSuppliedError";
    throw invalid(code, `The IMPORT source "${needed.name}" (${needed.kind}) ${why}.`);
  }

  return {
    check(needed) {
      used = [...new Set(needed.map(find))];
      return supplied
        .filter((source) => !used.includes(source))
        .map(({ name }) => `The source "${name}" was supplied, but no statement imports it.`);
    },
    load() {
      for (const source of used) {
        const bytes = readSource(source);
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        if (source.sha256 !== null && source.sha256 !== sha256) {
          const message = `The file of the source "${source.name}" is not the one that was hashed before the start.`;
          throw new RunFailure("INPUT_FILE_MUTATED", "INPUT_FILE_MUTATED", message);
        }
        loaded.set(source.name, { bytes, sha256, decoded: [] });
      }
    },
    bytesOf(name) {
      const source = loaded.get(name);
      if (source !== undefined) return source.bytes;
      throw invalid("ImportSourceNotSuppliedError", `The IMPORT source "${name}" is not supplied.`);
    },
    decoded(name, rows, encoding) {
      const known = loaded.get(name)?.decoded;
      if (known?.some((other) => other.rows === rows && other.encoding === encoding) === false) {
        known.push({ rows, encoding });
      }
    },
    receipts: () => [...loaded].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(receiptsOf),
  };
}

function receiptsOf([name, { bytes, sha256, decoded }]: [string, Loaded]): readonly InputReceipt[] {
  const base = { name, sha256, bytes: bytes.byteLength };
  return decoded.length === 0 ? [base] : decoded.map((receipt) => ({ ...base, ...receipt }));
}

/** A regular file before and after it is opened: a link or a pipe put in its place is refused. */
function readSource({ name, path }: ImportRequest): Uint8Array {
  const irregular = invalid("ImportSourceNotRegularFileError", `The source "${name}" is no regular file.`);
  let handle: number | null = null;
  try {
    if (!lstatSync(path).isFile()) throw irregular;
    handle = openSync(path, "r");
    if (!fstatSync(handle).isFile()) throw irregular;
    return readAtMost(name, handle);
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    throw invalid("ImportSourceReadError", `The source "${name}" cannot be read: ${codeOf(error)}.`);
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** One byte more than allowed tells a file that is too long, whatever its size said. */
function readAtMost(name: string, handle: number): Uint8Array {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= IMPORT_BYTES_MAX) {
    const chunk = Buffer.alloc(Math.min(1024 * 1024, IMPORT_BYTES_MAX + 1 - total));
    const count = readSync(handle, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  throw invalid(
    "ImportSourceTooLargeError",
    `The source "${name}" is longer than ${IMPORT_BYTES_MAX} bytes.`,
  );
}
