import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { bodyOf, type SettingsClient } from "./settings-client.ts";

const appsSchema = z.looseObject({ apps: z.array(z.looseObject({ appId: z.string(), name: z.string() })) });
const settingsSchema = z.looseObject({ name: z.string() });

export interface KnownApp {
  readonly id: string;
  /** False for an app that so far exists in the preview environment only. */
  readonly live: boolean;
}

/** The apps of a domain that the user may see. */
export interface Domain {
  /** The app of this exact name; null when there is none. Throws FlowError `APP_AMBIGUOUS`. */
  byName(name: string): KnownApp | null;
  /** Whether an id is one of a live app. */
  isLive(id: string): boolean;
}

const PAGE = 100;
/** Ids looked at above the highest live one: where an app stands whose making was cut short. */
const DRAFT_SPAN = 20;

/**
 * Lists the live apps, and the drafts above them: apps an earlier run made and did not deploy, or whose answer was
 * lost. No API lists those (kintone-rest §12, "live apps only").
 */
export async function readDomain(client: SettingsClient): Promise<Domain> {
  const live = new Map<string, string>();
  for (let offset = 0; ; offset += PAGE) {
    const reply = await client.get("apps.json", { limit: PAGE, offset });
    const { apps } = appsSchema.parse(bodyOf(reply, "list the apps"));
    for (const { appId, name } of apps) live.set(appId, name);
    if (apps.length < PAGE) break;
  }
  const drafts = await readDrafts(client, live);
  return {
    isLive: (id) => live.has(id),
    byName(name) {
      const named = [...live, ...drafts].filter(([, given]) => given === name).map(([id]) => id);
      const [id] = named;
      if (id === undefined) return null;
      if (named.length === 1) return { id, live: live.has(id) };
      throw new FlowError({
        code: "APP_AMBIGUOUS",
        message: `There are ${named.length} apps named "${name}": ${named.join(", ")}.`,
        place: name,
        remedy: "Name the right one: --state-app, --audit-app, --request-app, --job-log-app <id>.",
        details: { ids: named },
      });
    },
  };
}

async function readDrafts(
  client: SettingsClient,
  live: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const highest = Math.max(0, ...Array.from(live.keys(), Number));
  const drafts = new Map<string, string>();
  for (let id = highest + 1; id <= highest + DRAFT_SPAN; id += 1) {
    const reply = await client.get("preview/app/settings.json", { app: id });
    // Not there, or not ours to see.
    if (reply.kind === "refused") continue;
    drafts.set(String(id), settingsSchema.parse(bodyOf(reply, `look at app ${id}`)).name);
  }
  return drafts;
}
