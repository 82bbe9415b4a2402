type Env = Readonly<Record<string, string | undefined>>;

/** Without these a program of Windows finds neither its libraries nor a place for temporary files. */
const NEEDED = ["SystemRoot", "SystemDrive", "windir", "ComSpec", "TEMP", "TMP"] as const;

/**
 * The environment of a child on Windows: what was asked for, and of this program's own only what every program needs.
 * Names are compared without regard to case there, so of two that differ by case alone the later one counts.
 */
export function windowsEnvironment(
  asked: Readonly<Record<string, string>>,
  own: Env,
): Record<string, string> {
  const byName = new Map<string, readonly [string, string]>();
  const put = (name: string, value: string): void => {
    byName.set(name.toUpperCase(), [name, value]);
  };
  for (const name of NEEDED) {
    const value = Object.entries(own).find(([known]) => known.toUpperCase() === name.toUpperCase())?.[1];
    if (value !== undefined) put(name, value);
  }
  for (const [name, value] of Object.entries(asked)) put(name, value);
  return Object.fromEntries(byName.values());
}

/** The block `CreateProcessW` takes: sorted, `NAME=value`, each closed by a zero and the whole by one more. */
export function environmentBlock(env: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(env)
    .map(([name, value]) => [name.toUpperCase(), `${name}=${value}\0`] as const)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Buffer.from(
    `${lines.map(([, line]) => line).join("")}\0${lines.length === 0 ? "\0" : ""}`,
    "utf16le",
  );
}

/** The name of a variable that cannot be told to a child as it is, or null. */
export function impossibleVariable(env: Readonly<Record<string, string>>): string | null {
  return (
    Object.entries(env).find(
      ([name, value]) => name === "" || name.includes("=") || name.includes("\0") || value.includes("\0"),
    )?.[0] ?? null
  );
}
