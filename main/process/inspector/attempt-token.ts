/**
 * True when a NUL-separated block (a command line or an environment) carries the attempt id as a whole word:
 * an argument of its own or the value behind an equals sign.
 */
export function carriesAttemptId(block: string, attemptId: string): boolean {
  return block.split("\0").some((word) => word === attemptId || word.endsWith(`=${attemptId}`));
}
