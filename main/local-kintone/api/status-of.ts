import type { Switches } from "../switches.ts";

/** Codes that older captures show with status 520 (kintone-rest §4, §15). */
const LEGACY_CODES: ReadonlySet<string> = new Set(["GAIA_IA02", "GAIA_NO01"]);

/** Status of an error as this server gives it now: as it is today, or as older captures show it. */
export const statusOf = (
  switches: Switches,
  error: { readonly status: number; readonly code: string | null },
): number => (switches.legacyTokenStatus && LEGACY_CODES.has(error.code ?? "") ? 520 : error.status);
