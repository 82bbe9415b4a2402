import { FlowError } from "../../shared/domain/problem.ts";
import { TOKENS_MAX } from "./limits.ts";

/** App id to the API tokens that may act on it. */
export type TokenMap = ReadonlyMap<number, readonly string[]>;

/**
 * Tokens of every app a request touches, without repeats, because kintone refuses a repeated one
 * (kintone-rest §4). Throws `CONFIG_ERROR` when an app has none or more than nine come together; the message
 * names apps, never a token.
 */
export function tokensFor(apps: readonly number[], tokens: TokenMap): readonly string[] {
  const bare = apps.find((app) => (tokens.get(app) ?? []).length === 0);
  if (bare !== undefined) throw configError(`App ${bare} has no API token.`, "Add a token of this app.");
  const all = [...new Set(apps.flatMap((app) => tokens.get(app) ?? []))];
  if (all.length <= TOKENS_MAX) return all;
  throw configError(
    `A request to the apps ${apps.join(", ")} would carry ${all.length} API tokens; kintone takes ${TOKENS_MAX}.`,
    "Keep one token with all rights for each app.",
  );
}

const configError = (message: string, remedy: string): FlowError =>
  new FlowError({ code: "CONFIG_ERROR", message, place: "tokens", remedy });
