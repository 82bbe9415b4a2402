/**
 * How this server deviates from a quiet, current kintone: set by tests, drills and the control port while it runs.
 * Every switch starts at the value of the real service in good health.
 */
export interface Switches {
  /** Answers 503 with an HTML page: for nothing, for everything, or for some apps (kintone-rest §15). */
  maintenance: "off" | "all" | ReadonlySet<number>;
  /** Answers 520 where the service answers 400 / 403 for tokens since: older captures (kintone-rest §4, §15). */
  legacyTokenStatus: boolean;
  /** Code for a token that belongs to another app; the evidence is in conflict (kintone-rest §18). */
  foreignTokenCode: "GAIA_AP15" | "GAIA_IA02" | "GAIA_NO01";
  /** Milliseconds a deploy stays in `PROCESSING` (kintone-rest §12). */
  deployMs: number;
  /** How deploys of an app end, whatever they hold; null lets them end on their merits. */
  deployOutcome: ((app: number) => "FAIL" | "CANCEL" | null) | null;
  /** Requests per app and day before refusing; null never refuses, as the service does (kintone-rest §14). */
  dailyLimit: number | null;
  /** `=` and `in` on a text that is not unique: equality, or a token match as in the field (kintone-rest §13.5). */
  textEquality: "exact" | "token";
  /** Milliseconds `like` still finds the value of before an update, and misses what is new (kintone-rest §13.5). */
  likeIndexLagMs: number;
  /** Milliseconds an upload lives that no record has taken (kintone-rest §11). */
  uploadLifetimeMs: number;
  /** Milliseconds a cursor lives without being read (kintone-rest §10). */
  cursorLifetimeMs: number;
}

const DAY_MS = 86_400_000;

/** The switches of a healthy service. */
export function createSwitches(): Switches {
  return {
    maintenance: "off",
    legacyTokenStatus: false,
    foreignTokenCode: "GAIA_AP15",
    deployMs: 200,
    deployOutcome: null,
    dailyLimit: null,
    textEquality: "exact",
    likeIndexLagMs: 0,
    // Recalled, not re-read (kintone-rest §11).
    uploadLifetimeMs: 3 * DAY_MS,
    cursorLifetimeMs: 600_000,
  };
}
