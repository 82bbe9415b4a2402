import type { RunnerProfile } from "../../../shared/contract/index.ts";

export type Mask = (text: string) => string;

const MIN_TOKEN = 8;
const MIN_PASSWORD = 4;

function secretsOf(profile: RunnerProfile): readonly string[] {
  const tokens = Object.values(profile.apps).flatMap((app) => app.tokens);
  const passwords = [
    ...(profile.auth.type === "apiToken" ? [] : [profile.auth.password]),
    ...(profile.basicAuth === null ? [] : [profile.basicAuth.password]),
  ];
  return [
    ...tokens.filter((token) => token.length >= MIN_TOKEN),
    ...passwords.filter((password) => password.length >= MIN_PASSWORD),
  ];
}

/** Replaces every occurrence of a secret of the profile by `***`, longest first (execution-contract §11). */
export function createMask(profile: RunnerProfile): Mask {
  // Lines of JSON are masked as a whole, and there a quote or a backslash stands escaped.
  const forms = secretsOf(profile).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const secrets = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
}

/** String and number literals of SQL as `?` (execution-contract §5.3, §11 `stripLiterals`). */
export function stripLiterals(text: string): string {
  return text
    .replace(/'(?:[^']|'')*'/g, "?")
    .replace(/(?<![\w$\u3040-\uff60.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w\u3040-\uff60])/g, "?");
}
