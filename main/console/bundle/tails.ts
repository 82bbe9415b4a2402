import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The end of a file as text, from the next line on; at most so many bytes are read. Rejects with the system's error. */
export async function tailOf(path: string, most: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - most);
    const buffer = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await file.close();
  }
}

/** The newest files of a folder whose name fits, newest first; none where there is no such folder. */
export async function newestFiles(folder: string, fits: RegExp, most: number): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): readonly string[] => []);
  const found = await Promise.all(
    names
      .filter((name) => fits.test(name))
      .map(async (name) => ({ name, ms: (await stat(join(folder, name))).mtimeMs })),
  );
  return found
    .sort((left, right) => right.ms - left.ms)
    .slice(0, most)
    .map(({ name }) => name);
}
