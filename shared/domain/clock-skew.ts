/** Beyond these a host's clock is warned of, and beyond those nothing may be leased by it: half and the whole of the margin (electron-desktop L13). Milliseconds. */
const SKEW_WARNS_MS = 30_000;
const SKEW_BLOCKS_MS = 60_000;
/** What a `Date` header has cut away: it is kept to the second (RFC 9110 §5.6.7). Milliseconds. */
const HEADER_STEP_MS = 1_000;

/** One look at a server's clock: when the request left and its answer came by ours, and what the answer's `Date` says. Epoch milliseconds. */
export interface ClockSample {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly serverMs: number;
}

/** How far apart the clocks are, as one answer shows it. */
export interface ClockSkew {
  /** Server minus this host; milliseconds. */
  readonly skewMs: number;
  /** The truth lies within this of it: half of the way there and back, and half of what the header cut away. */
  readonly uncertaintyMs: number;
}

/** The way there and back is halved: the server read its clock at some moment in between. */
export function skewOf({ sentMs, receivedMs, serverMs }: ClockSample): ClockSkew {
  const half = HEADER_STEP_MS / 2;
  return {
    skewMs: Math.round(serverMs + half - (sentMs + receivedMs) / 2),
    uncertaintyMs: Math.round(Math.max(0, receivedMs - sentMs) / 2 + half),
  };
}

export type ClockVerdict = "fine" | "off" | "wrong";

/**
 * What a difference of two clocks means (electron-desktop L13): more than 30 s warns, more than 60 s blocks what takes
 * a lease. Only what is proven counts: a slow answer says little about the time.
 */
export function judgeSkew({ skewMs, uncertaintyMs }: ClockSkew): ClockVerdict {
  const proven = Math.abs(skewMs) - uncertaintyMs;
  if (proven > SKEW_BLOCKS_MS) return "wrong";
  return proven > SKEW_WARNS_MS ? "off" : "fine";
}
