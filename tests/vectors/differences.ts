/**
 * Vector cases in which we deliberately differ from the peer: case name -> why, and what holds instead.
 * The one place for such reasons; a case named here is still run, with our expectation.
 */
export const DIFFERENCES: ReadonlyMap<string, string> = new Map([
  [
    "force-unlock-released-at-exactly-expiry-plus-60s",
    "At exactly expiry + 60 s the Run still counts as LIVE, so the lock is not taken from it: LEASE_STILL_ACTIVE; one millisecond later it is released (wire-format §7 row 16).",
  ],
  [
    "new-run-writes",
    "The record bodies are the peer's; how they are grouped into requests is ours (fenced-writes §3), so the list of calls is not compared.",
  ],
]);
