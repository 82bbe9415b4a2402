import type { FiledRequest } from "../../shared/api/index.ts";

/** Requests for consent that may still be approved. `now` in epoch milliseconds; main judges by its own clock. */
export const stillOpen = (filed: readonly FiledRequest[], now: number): readonly FiledRequest[] =>
  filed.filter(({ expiresAt }) => now < Date.parse(expiresAt));
