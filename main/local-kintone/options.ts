import type { Locale } from "./api/locale.ts";
import type { FaultOptions } from "./faults/options.ts";
import type { Arrival, Clock, IdSource } from "./model.ts";
import type { Switches } from "./switches.ts";

/** What a local kintone is made of. */
export interface LocalKintoneOptions {
  /** The one SQLite file, or `:memory:`. */
  readonly databasePath: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** FULL by default: an answered write survives a power cut. */
  readonly synchronous?: "FULL" | "NORMAL";
  /** Language of error texts when a request does not choose (kintone-rest §3). */
  readonly defaultLocale?: Locale;
  /** The users' zone in minutes east of UTC; Japan by default. */
  readonly timeZoneOffsetMinutes?: number;
  /** Running requests per domain before 429 `GAIA_TO04` (kintone-rest §14). */
  readonly concurrencyLimit?: number;
  /** Milliseconds every request waits before it touches the store. */
  readonly delayMs?: number;
  /** Pages of 4 KiB the store may grow to: the full-disk case. */
  readonly maxPageCount?: number;
  /** How the server deviates from a healthy service; the caller may change them while it runs. */
  readonly switches?: Switches;
  /** How equality of a text that is not unique is decided from the start (kintone-rest §13.5); see {@link Switches}. */
  readonly textEquality?: Switches["textEquality"];
  /** How far `like` lags behind from the start, milliseconds (kintone-rest §13.5); see {@link Switches}. */
  readonly likeIndexLagMs?: number;
  /** Makes the server able to fail on command; left out, nothing of it is in a request's way (kintone-rest §19). */
  readonly faults?: FaultOptions;
  readonly onArrival?: (arrival: Arrival) => void;
  /** Told what broke behind a 500 answer; never holds a token. */
  readonly onFailure?: (error: unknown) => void;
}
