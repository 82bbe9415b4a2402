/** What stands where a secret stood. */
const REDACTED = "[redacted]";
/** Field names whose values are never written (electron-desktop S4); who wrote something is no secret. */
const SECRET_NAME = /token|secret|password|passphrase|auth(?!or(?!iz))|cookie/i;
/** A shorter value would blot out half of every text. */
const SHORTEST_SECRET = 4;
const DEEPEST = 8;

/** A value without secrets: those known by value, wherever they stand, and whatever a name gives away. Pure. */
export function redact(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === "string") return withoutSecrets(value, secrets);
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (depth >= DEEPEST) return "[too deep]";
  if (Array.isArray(value)) return value.map((each) => redact(each, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      withoutSecrets(name, secrets),
      SECRET_NAME.test(name) ? REDACTED : redact(each, secrets, depth + 1),
    ]),
  );
}

/** Whether a text holds one of the secrets that are long enough to be told apart from words. Pure. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret.length >= SHORTEST_SECRET && text.includes(secret));
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return (
    secrets
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      // The longest first: the rest of a longer one would stay where a shorter one is its beginning.
      .toSorted((left, right) => right.length - left.length)
      .reduce((left, secret) => left.replaceAll(secret, REDACTED), text)
  );
}
