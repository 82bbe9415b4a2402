/**
 * The variable that names the attempt in the environment of a child and, by inheritance, of everything below it. The
 * room of the attempts sets it; here it is what a tree is found by.
 */
export const ATTEMPT_TOKEN_VARIABLE = "FLOWNET_ATTEMPT_ID";

/**
 * True when a NUL-separated block (a command line or an environment) carries the attempt id as a whole word:
 * an argument of its own or the value behind an equals sign.
 */
export function carriesAttemptId(block: string, attemptId: string): boolean {
  return block.split("\0").some((word) => word === attemptId || word.endsWith(`=${attemptId}`));
}
