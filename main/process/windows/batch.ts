/** A batch file runs in a shell of the system's choosing whatever we say; also with trailing dots and blanks. */
const BATCH_FILE = /\.(?:cmd|bat)[. ]*$/i;
/** What cmd.exe takes at most for one line. */
const LONGEST_LINE = 8_191;

export const isBatchFile = (command: string): boolean => BATCH_FILE.test(command);

export type BatchCommand =
  /** `rest` is everything behind the shell's own name, to be handed over letter by letter. */
  | { readonly kind: "line"; readonly shell: string; readonly rest: string }
  | { readonly kind: "refused"; readonly why: string };

/**
 * The one way a batch file is run: `cmd.exe /d /e:on /v:off /s /c "…"` with every word in quotes, where `& | < > ^`
 * are letters. What no quoting can protect (a quote, `%`, `!`, a line break) is refused: cmd.exe expands variables
 * inside quotes too, and a batch file hands its arguments on to be read once more (CVE-2024-27980, CVE-2024-24576).
 */
export function batchCommand(command: string, args: readonly string[], systemRoot: string): BatchCommand {
  if (/[. ]$/.test(command)) return refused("its name ends with a dot or a blank");
  const words = [command, ...args];
  const bad = words.findIndex((word) => unquotable(word) !== null);
  if (bad >= 0) {
    const what = bad === 0 ? "its path" : `argument ${bad}`;
    return refused(`${what} holds ${unquotable(words[bad] ?? "")}, which cannot be handed to a batch file`);
  }
  const shell = `${systemRoot.replace(/\\+$/, "")}\\System32\\cmd.exe`;
  const inner = words.map((word) => `"${word.replace(/\\+$/, "$&$&")}"`).join(" ");
  const rest = `/d /e:on /v:off /s /c "${inner}"`;
  const length = shell.length + rest.length + 3;
  if (length > LONGEST_LINE)
    return refused(`its command line has ${length} characters and cmd.exe takes ${LONGEST_LINE}`);
  return { kind: "line", shell, rest };
}

function unquotable(word: string): string | null {
  if (word.includes('"')) return "a quotation mark";
  if (word.includes("%")) return "a percent sign";
  if (word.includes("!")) return "an exclamation mark";
  return /\p{Cc}/u.test(word) ? "a control character" : null;
}

function refused(why: string): BatchCommand {
  return { kind: "refused", why };
}
