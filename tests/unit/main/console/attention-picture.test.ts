import { describe, expect, it } from "vitest";
import { type PictureParts, pictureOf } from "../../../../main/console/attention/picture.ts";
import type { Freshness } from "../../../../shared/api/index.ts";
import type { Problem } from "../../../../shared/domain/problem.ts";

const NOW = Date.parse("2026-09-05T05:03:20Z");
const READ_AT = "2026-09-05T05:03:00.000Z";
const refused: Problem = { code: "KINTONE_UNREACHABLE", message: "no answer" };
const read = (source: Freshness["source"], change: Partial<Freshness> = {}): Freshness => ({
  source,
  readAt: READ_AT,
  origin: "read",
  intervalMs: 15_000,
  problem: null,
  ...change,
});
const everything: PictureParts = {
  profile: "local",
  rows: [],
  read: { records: new Map(), pending: 0, problem: null, readAt: READ_AT },
  locks: [],
  schedules: { expectations: [], problem: null, absent: false },
  requests: {
    picture: { open: [], poller: null, staleAfterMs: 60_000 },
    freshness: read("request"),
  },
  state: read("state"),
  jobLog: read("jobLog"),
  processes: { readAt: READ_AT, problem: null },
};

describe("nothing to do, only when every source was read (screens, 要対応; operator-ux §1.1)", () => {
  it.each<[string, Partial<PictureParts>, boolean]>([
    ["every source was read", {}, true],
    ["no request app is configured", { requests: { picture: null, freshness: null } }, true],
    ["no job log is configured", { jobLog: null }, true],
    ["there are no children to follow", { processes: null }, true],
    ["no due times are defined", { schedules: { expectations: [], problem: null, absent: true } }, true],
    ["the Runs were not read yet", { state: null }, false],
    ["the Runs are those of an earlier start", { state: read("state", { origin: "kept" }) }, false],
    ["the locks were not read yet", { locks: null }, false],
    ["some history is still to be read", { read: { ...everything.read, pending: 2 } }, false],
    [
      "the requests were not read yet",
      { requests: { picture: null, freshness: read("request", { readAt: null }) } },
      false,
    ],
    ["the job log was not asked yet", { jobLog: read("jobLog", { readAt: null }) }, false],
    ["the job log does not answer", { jobLog: read("jobLog", { problem: refused }) }, false],
    ["the children were not looked for yet", { processes: { readAt: null, problem: null } }, false],
    ["the children cannot be looked for", { processes: { readAt: READ_AT, problem: refused } }, false],
    [
      "the due times cannot be read",
      { schedules: { expectations: [], problem: refused, absent: false } },
      false,
    ],
  ])("%s", (_, change, calm) => {
    expect(pictureOf({ ...everything, ...change }, NOW).calm).toBe(calm);
  });

  it("names each source with its own reading", () => {
    const parts = { ...everything, jobLog: null, processes: { readAt: null, problem: refused } };
    const { sources } = pictureOf(parts, NOW);
    expect(sources.map(({ source, absent, problem }) => [source, absent, problem?.code])).toEqual([
      ["state", false, undefined],
      ["audit", false, undefined],
      ["request", false, undefined],
      ["jobLog", true, undefined],
      ["processes", false, "KINTONE_UNREACHABLE"],
      ["schedules", false, undefined],
    ]);
  });
});
