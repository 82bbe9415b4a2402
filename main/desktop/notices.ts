import {
  type AttentionEntry,
  type AttentionPicture,
  createClient,
  isQuiet,
  minuteOfDay,
} from "../../shared/api/index.ts";
import { linePair } from "./life/live-runs.ts";
import type { ServedApi } from "./lines.ts";
import { UI_PAGE } from "./origin.ts";
import type { Notice, Shell } from "./ports.ts";
import { fill, type NoticeTexts } from "./texts.ts";

export interface NoticesDeps {
  readonly api: ServedApi;
  readonly shell: Pick<Shell, "notify">;
  readonly texts: NoticeTexts;
  /** Shows how many items there are, on the window. */
  readonly badge: (count: number) => void;
  /** Shows the window on a page. */
  readonly open: (url: string) => void;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** Names told in one notice; the others are counted. */
const TOLD = 3;

/** What newly needs somebody, as a notice of the system and a number on the window; ends with `dispose`. */
export interface Notices {
  dispose(): Promise<void>;
}

/**
 * Tells of new items of 要対応 while nobody looks at the window (operator-ux §1.2, notifications): one notice for all
 * that came up together, none for what was there at the start, none in the quiet hours. The number always stands: a
 * notice is never the only channel.
 */
export function followNotices(deps: NoticesDeps): Notices {
  const pair = linePair();
  deps.api.serve(pair.far);
  const client = createClient(() => pair.near);
  const lifetime = new AbortController();
  const quiet = async (): Promise<boolean> => {
    const view = await client.settings.get({});
    if (!view.ok) return false;
    const { quietHours = null, view: looks } = view.value.settings;
    return isQuiet(quietHours, minuteOfDay(deps.nowMs(), looks.timeZone));
  };
  const follow = async (): Promise<void> => {
    let before: AttentionPicture | null = null;
    try {
      for await (const picture of await client.attention.watch({}, { signal: lifetime.signal })) {
        const fresh = newcomersOf(before, picture);
        deps.badge(picture.total);
        // A picture before the first reading is empty: what comes after it is not news but the beginning.
        if (picture.sources.every(({ readAt, absent }) => absent || readAt !== null)) before = picture;
        if (fresh.length === 0 || (await quiet())) continue;
        deps.shell.notify(noticeOf(fresh, deps.texts), () => deps.open(pageOf(fresh)));
      }
    } catch {
      // The line was closed, by us or with the API: nothing is followed any more.
    }
  };
  const following = follow();
  return {
    async dispose() {
      lifetime.abort();
      pair.close();
      await following;
    },
  };
}

function newcomersOf(before: AttentionPicture | null, after: AttentionPicture): readonly AttentionEntry[] {
  if (before === null) return [];
  const known = new Set(before.items.map(({ id }) => id));
  return after.items.filter(({ id }) => !known.has(id));
}

/** One notice for everything that came up together. Pure. */
export function noticeOf(fresh: readonly AttentionEntry[], texts: NoticeTexts): Notice {
  const lines = fresh.slice(0, TOLD).map((item) => {
    const subject = item.businessKey ?? item.networkId ?? item.runId ?? "";
    const name = item.nodeId === null ? subject : `${subject} › ${item.nodeId}`;
    return `${texts.kinds[item.kind].name}: ${name}`;
  });
  const more = fresh.length - lines.length;
  const rest = more > 0 ? [fill(texts.more, { count: more })] : [];
  return {
    title: fill(texts.title, { count: fresh.length }),
    body: [...lines, ...rest].join("\n"),
    // The most urgent stands first.
    urgent: fresh[0]?.urgency === "critical",
  };
}

/** Where a click leads: to the one thing it is about, else to the list. Pure. */
export function pageOf(fresh: readonly AttentionEntry[]): string {
  const [only, ...others] = fresh;
  if (only === undefined || others.length > 0) return `${UI_PAGE}#/attention`;
  if (only.kind === "staleLock" && only.lockRecordId !== null)
    return `${UI_PAGE}#/locks/${only.lockRecordId}`;
  return only.runId === null ? `${UI_PAGE}#/attention` : `${UI_PAGE}#/runs/${encodeURIComponent(only.runId)}`;
}
