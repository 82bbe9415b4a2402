/** Longest command line that is shown; the rest says nothing about who the process is. */
const LONGEST_SHOWN = 2_000;
const HIDDEN = "***";

/** Options and variables whose name says that the value is a secret. */
export const SECRET_NAME = /(?:token|secret|passw(?:or)?d|passphrase|credential|api[-_]?key|authorization)/i;
/** A word that is long and made of the letters of a key, while no path, id with dashes or time is. */
const LOOKS_LIKE_KEY = /^[A-Za-z0-9+/_=]{32,}$/;
const USER_INFO = /(\/\/[^/\s:@]*:)[^@\s/]+@/g;

/**
 * A command line fit to be shown as evidence of who a process is: values of options named like secrets, words that
 * look like keys and passwords inside addresses are hidden (electron-desktop §4 C2). The words are joined by blanks.
 * What we start holds no secret in its arguments; this is for the processes of others.
 */
export function redactWords(words: readonly string[]): string {
  const shown = words.map((word, at) => {
    const before = words[at - 1] ?? "";
    if (/^--?[^=]+$/.test(before) && SECRET_NAME.test(before) && !word.startsWith("--")) return HIDDEN;
    const equals = word.indexOf("=");
    if (equals > 0 && SECRET_NAME.test(word.slice(0, equals))) return `${word.slice(0, equals)}=${HIDDEN}`;
    if (LOOKS_LIKE_KEY.test(word) && !word.includes("/", 1)) return HIDDEN;
    return word.replace(USER_INFO, `$1${HIDDEN}@`);
  });
  const text = shown.join(" ");
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Splits a Windows command line into words well enough to hide secrets in it: quotes hold a word together. */
export function splitCommandLine(line: string): readonly string[] {
  return line.match(/(?:"(?:\\"|[^"])*"?|[^\s"])+/g) ?? [];
}
