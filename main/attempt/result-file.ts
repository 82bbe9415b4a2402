import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { parseExecutionResult } from "../../shared/contract/index.ts";
import type { ExecutionResult } from "../../shared/domain/execution-result.ts";

/** A result has a handful of texts of bounded length and one receipt a file; more is not a result. */
const MAX_RESULT_BYTES = 16 * 1024 * 1024;

/** What was found at the place of an attempt's result (execution-contract §5.6). */
export type ResultReading =
  | { readonly kind: "absent" }
  /** There is a file, but no JSON value in it. */
  | { readonly kind: "unreadable"; readonly detail: string; readonly sha256: string | null }
  /** JSON that breaks the contract. */
  | { readonly kind: "invalid"; readonly detail: string; readonly sha256: string }
  | { readonly kind: "valid"; readonly result: ExecutionResult; readonly sha256: string };

/** Reads an attempt's result file after its process has ended (electron-desktop §4 C7). Never rejects. */
export async function readResultFile(path: string): Promise<ResultReading> {
  const bytes = await readBounded(path);
  if (bytes === "absent") return { kind: "absent" };
  if (typeof bytes === "string") return { kind: "unreadable", detail: bytes, sha256: null };
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const json = parseJson(bytes);
  if (!json.ok) return { kind: "unreadable", detail: "The result file holds no complete JSON.", sha256 };
  const parsed = parseExecutionResult(json.value);
  if (!parsed.ok) {
    const { message, place } = parsed.error;
    return { kind: "invalid", detail: `${message} (${place ?? "result"})`, sha256 };
  }
  return { kind: "valid", result: parsed.value, sha256 };
}

async function readBounded(path: string): Promise<Buffer | string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > MAX_RESULT_BYTES) return `The result file has ${size} bytes.`;
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    return code === "ENOENT" ? "absent" : `The result file could not be read (${code}).`;
  }
}

function parseJson(bytes: Buffer): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { ok: false };
  }
}
