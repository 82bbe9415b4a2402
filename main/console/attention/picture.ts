import {
  ATTENTION_MAX,
  type AttentionPicture,
  type AttentionSource,
  type Freshness,
  type RunRow,
} from "../../../shared/api/index.ts";
import { nothingToDo } from "../../../shared/domain/attention.ts";
import { attentionList } from "../../../shared/domain/attention-list.ts";
import type { LockPicture } from "../../../shared/domain/attention-lock.ts";
import type { RequestsPicture } from "../../../shared/domain/attention-request.ts";
import type { RecordsRound } from "./run-records.ts";
import type { SchedulesReading } from "./schedules.ts";

export interface PictureParts {
  readonly profile: string;
  readonly rows: readonly RunRow[];
  readonly read: RecordsRound;
  /** Null before the first reading of the locks. */
  readonly locks: readonly LockPicture[] | null;
  readonly schedules: SchedulesReading;
  readonly requests: RequestsReading;
  readonly state: Freshness | null;
  /** Null where no such app is configured. */
  readonly jobLog: Pick<Freshness, "readAt" | "problem"> | null;
  /** Null for whoever has no children to follow. */
  readonly processes: Pick<Freshness, "readAt" | "problem"> | null;
}

/** The request app as last read; both null where none is configured. */
export interface RequestsReading {
  readonly picture: RequestsPicture | null;
  readonly freshness: Freshness | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Before anything was read: no item, and no claim that there is none. */
export function emptyPicture(now: number): AttentionPicture {
  const unread = { readAt: null, problem: null, pending: 0, absent: false };
  return {
    items: [],
    total: 0,
    sources: [
      { source: "state", ...unread },
      { source: "audit", ...unread },
      { source: "request", ...unread },
      { source: "jobLog", ...unread },
      { source: "processes", ...unread },
      { source: "schedules", ...unread },
    ],
    calm: false,
    judgedAt: iso(now),
  };
}

/** The list and how each of its sources was read. `now` in epoch milliseconds. */
export function pictureOf(parts: PictureParts, now: number): AttentionPicture {
  const items = attentionList(
    {
      profile: parts.profile,
      runs: parts.rows,
      records: parts.read.records,
      locks: parts.locks ?? [],
      // Before the Runs were read, every expected one would seem to be missing.
      expectations: stateWasRead(parts) ? parts.schedules.expectations : [],
      requests: parts.requests.picture,
    },
    now,
  );
  const sources = sourcesOf(parts, now);
  const calm = nothingToDo(
    items.length,
    sources.map(({ problem, ...reading }) => ({ ...reading, failed: problem !== null })),
  );
  return { items: items.slice(0, ATTENTION_MAX), total: items.length, sources, calm, judgedAt: iso(now) };
}

/** A picture kept from an earlier start is shown, but it is not a reading. */
const stateWasRead = ({ state, locks }: PictureParts): boolean =>
  state !== null && state.origin === "read" && state.readAt !== null && locks !== null;

function sourcesOf(parts: PictureParts, now: number): readonly AttentionSource[] {
  const { state, read, schedules } = parts;
  const wasRead = stateWasRead(parts);
  return [
    {
      source: "state",
      readAt: wasRead ? (state?.readAt ?? null) : null,
      problem: state?.problem ?? null,
      pending: 0,
      absent: false,
    },
    {
      source: "audit",
      readAt: wasRead ? read.readAt : null,
      problem: read.problem,
      pending: read.pending,
      absent: false,
    },
    requestSource(parts.requests, now),
    { source: "jobLog", ...answered(parts.jobLog, now) },
    { source: "processes", ...answered(parts.processes, now) },
    {
      source: "schedules",
      readAt: iso(now),
      problem: schedules.problem,
      pending: 0,
      absent: schedules.absent,
    },
  ];
}

function requestSource({ picture, freshness }: RequestsReading, now: number): AttentionSource {
  const read = freshness && { ...freshness, readAt: picture === null ? null : freshness.readAt };
  return { source: "request", ...answered(read, now) };
}

/** Where a source is not configured nothing can be asked, and silence there is no failure. */
function answered(
  reading: Pick<Freshness, "readAt" | "problem"> | null,
  now: number,
): Omit<AttentionSource, "source"> {
  const { readAt, problem } = reading ?? { readAt: iso(now), problem: null };
  return { readAt, problem, pending: 0, absent: reading === null };
}

/** Whether two pictures tell the same. That the file of due times was looked at again is no news. */
export function sameNews(left: AttentionPicture, right: AttentionPicture): boolean {
  const told = (picture: AttentionPicture): string =>
    JSON.stringify([
      picture.items,
      picture.total,
      picture.calm,
      picture.sources.map((source) =>
        source.source === "schedules" || source.absent ? { ...source, readAt: null } : source,
      ),
    ]);
  return told(left) === told(right);
}
