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
  [
    "acquire-request-lost-before-write",
    "The key is free after the lost request, so another copy with a fresh token is sent: acquired (fenced-writes R6).",
  ],
  [
    "acquire-http-500",
    "A 500 is an unknown outcome; the key is free, so another copy with a fresh token is sent: acquired (fenced-writes R3, R6).",
  ],
  [
    "acquire-duplicate-and-read-back-fails",
    "A failed read is repeated within bounds, which shows the holder: LOCK_CONFLICT (kintone-rest W5).",
  ],
  [
    "heartbeat-token-mismatch",
    "The fence is `$id` and revision, and a token never changes without its revision, so the lock is not read before a beat; run with the revision such a change leaves behind, the code is the peer's (fenced-writes R3).",
  ],
  [
    "release-token-mismatch",
    "As heartbeat-token-mismatch: run with the revision a changed token leaves behind.",
  ],
  [
    "heartbeat-revision-mismatch",
    "My token and one revision more, and nothing of mine is out: a person saved the record. The revision is adopted and the beat sent again (fenced-writes R1).",
  ],
  [
    "heartbeat-put-409",
    "The lock still shows the revision that is held, so nothing was used up: the same beat is sent again (fenced-writes R3).",
  ],
  [
    "heartbeat-put-400-da02-is-unavailable",
    "GAIA_DA02 says that this copy did not run: the lock is read and the same beat sent again (kintone-rest W3, fenced-writes R3).",
  ],
  [
    "heartbeat-put-request-lost",
    "The lock does not show the beat, so the same bytes are sent again (fenced-writes R1).",
  ],
  [
    "heartbeat-get-fails",
    "A beat is one request and reads nothing first; no read can fail (fenced-writes §4).",
  ],
  [
    "heartbeat-put-response-lost-minute-truncated-peer-gives-up",
    "Token and revision settle a lost answer, never a time that kintone cuts to the minute: applied (W-02, kintone-rest W2).",
  ],
  [
    "release-409-twice",
    "As long as the lock shows the revision that is held, the same release is sent again: released (fenced-writes R3).",
  ],
  [
    "release-request-lost",
    "The lock does not show the release, so the same bytes are sent again: released (fenced-writes R1).",
  ],
  [
    "release-http-500",
    "A 500 is an unknown outcome, settled by reading the lock and sending the same release again: released (fenced-writes R3).",
  ],
]);
