import type { ScannedFile, Violation } from "./model.ts";
import { ONE_FILE_WORDS } from "./packages.ts";
import type { Token } from "./tokens.ts";

/** Calls that would bring a clock, chance or an environment into pure code (architecture section 2). */
const IMPURE: readonly (readonly string[])[] = [
  ["Date", ".", "now"],
  ["new", "Date", "(", ")"],
  ["Math", ".", "random"],
  ["crypto", "."],
  ["performance", "."],
  ["process", "."],
  ["setTimeout"],
  ["setInterval"],
  ["fetch", "("],
];

/** In `shared/`, time, chance and the outside world come in as arguments. */
export function impureWords(file: ScannedFile): readonly Violation[] {
  if (!file.path.startsWith("shared/")) return [];
  return IMPURE.flatMap((sequence) => {
    const line = lineOf(file.tokens, sequence);
    if (line === null) return [];
    const message = `shared/ has no clock, no randomness and no environment, but uses ${sequence.join("")}`;
    return [{ rule: "pure", path: file.path, line, message }];
  });
}

function lineOf(tokens: readonly Token[], sequence: readonly string[]): number | null {
  const found = tokens.findIndex((_, start) => matchesAt(tokens, start, sequence));
  return found < 0 ? null : (tokens[found]?.line ?? null);
}

function matchesAt(tokens: readonly Token[], start: number, sequence: readonly string[]): boolean {
  const before = tokens[start - 1];
  if (before?.text === "." && before.kind === "punctuation") return false;
  return sequence.every((text, offset) => {
    const token = tokens[start + offset];
    return token !== undefined && token.kind !== "string" && token.text === text;
  });
}

/** Raw `ipcMain`, `ipcRenderer` and `webContents.send` stand in one file each (architecture section 3). */
export function wordsInTooManyFiles(files: readonly ScannedFile[]): readonly Violation[] {
  const shipped = files.filter((file) => /^(main|renderer|shared)\//.test(file.path));
  return ONE_FILE_WORDS.flatMap((word) => {
    const users = shipped.filter((file) => lineOfUse(file.tokens, word) !== null);
    return users.slice(1).map((file) => ({
      rule: "one-file",
      path: file.path,
      line: lineOfUse(file.tokens, word) ?? 1,
      message: `${word} may stand in one file only, and stands already in ${users[0]?.path ?? ""}`,
    }));
  });
}

/** `webContents` is a noun of Electron's everywhere; only its `send` is the raw channel. */
function lineOfUse(tokens: readonly Token[], word: string): number | null {
  const sequence = word === "webContents" ? ["webContents", ".", "send"] : [word];
  const start = tokens.findIndex((_, index) =>
    sequence.every((text, offset) => {
      const token = tokens[index + offset];
      return token !== undefined && token.kind !== "string" && token.text === text;
    }),
  );
  return start < 0 ? null : (tokens[start]?.line ?? null);
}
