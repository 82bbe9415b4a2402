/** Shorter values are words of everyday language as often as secrets (execution-contract §11). */
const SHORTEST_SECRET = 8;

/** `text` with every value of the child's environment replaced: what a runner prints may quote a token. */
export function maskValues(text: string, env: Readonly<Record<string, string>>): string {
  return Object.values(env)
    .filter((value) => value.length >= SHORTEST_SECRET)
    .sort((left, right) => right.length - left.length)
    .reduce((masked, value) => masked.replaceAll(value, "***"), text);
}
