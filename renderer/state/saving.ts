import { type ConsoleApi, type SavedFile, settle } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";

/** A file that is whole and handed over to whoever saves it. */
export interface FetchedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: readonly Uint8Array<ArrayBuffer>[];
}

/** Hands a file to the window's own way of saving; the operator says where. */
export type SaveFile = (file: FetchedFile) => void;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Fetches every part of a file main made, then saves it whole or not at all. Answers what stood in the way, or null. */
export async function fetchAndSave(
  api: ConsoleApi,
  file: SavedFile,
  save: SaveFile,
): Promise<Problem | null> {
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  for (let index = 0; index < file.parts; index += 1) {
    const part = await settle(api.files.part({ fileId: file.fileId, index }));
    if (!part.ok) return part.error;
    bytes.push(bytesOf(part.value.base64));
  }
  await settle(api.files.done({ fileId: file.fileId }));
  save({ name: file.name, type: file.type, bytes });
  return null;
}
