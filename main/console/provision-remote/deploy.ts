import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { liveRevision } from "./read-app.ts";
import { bodyOf, type SettingsClient } from "./settings-client.ts";

const statusSchema = z.looseObject({
  apps: z.array(z.looseObject({ app: z.string(), status: z.string() })),
});

export interface DeployTiming {
  /** Waits, or rejects when the run is aborted. */
  sleep(ms: number): Promise<void>;
  /** Between two looks at a deploy. */
  readonly pauseMs: number;
  readonly looks: number;
}

const TRIES = 3;

/**
 * Makes the preview of some apps live, all or none, and waits for it (kintone-rest §12). A lost answer is settled by
 * the live revision: a deploy copies the preview's. Rejects with `DEPLOY_FAILED`, `DEPLOY_UNFINISHED`, `KINTONE_…`.
 */
export async function deployApps(
  client: SettingsClient,
  apps: readonly { readonly app: string; readonly revision: string }[],
  timing: DeployTiming,
): Promise<void> {
  if (apps.length === 0) return;
  const ids = apps.map(({ app }) => app);
  for (let attempt = 1; ; attempt += 1) {
    const reply = await client.send("POST", "preview/app/deploy.json", { apps });
    if (reply.kind === "refused" && attempt === 1) bodyOf(reply, `deploy the apps ${ids.join(", ")}`);
    const failed = await settle(client, ids, timing);
    if (failed.length > 0) throw deployFailed(failed);
    const live = await Promise.all(
      apps.map(async ({ app, revision }) => (await liveRevision(client, app)) === revision),
    );
    if (live.every(Boolean)) return;
    if (attempt === TRIES) {
      bodyOf(reply, `deploy the apps ${ids.join(", ")}`);
      throw unfinished(ids);
    }
  }
}

/** Waits until no deploy runs; answers what failed. */
async function settle(
  client: SettingsClient,
  ids: readonly string[],
  timing: DeployTiming,
): Promise<readonly string[]> {
  for (let look = 0; look < timing.looks; look += 1) {
    const reply = await client.get("preview/app/deploy.json", { apps: ids });
    if (reply.kind !== "unknown") {
      const { apps } = statusSchema.parse(bodyOf(reply, "look at the deploy"));
      if (apps.every(({ status }) => status !== "PROCESSING")) {
        return apps.filter(({ status }) => status !== "SUCCESS").map(({ app, status }) => `${app} ${status}`);
      }
    }
    await timing.sleep(timing.pauseMs);
  }
  throw unfinished(ids);
}

const deployFailed = (failed: readonly string[]): FlowError =>
  new FlowError({
    code: "DEPLOY_FAILED",
    message: `kintone could not make the settings live: ${failed.join(", ")}. The live apps are as they were.`,
    place: `apps ${failed.join(", ")}`,
    remedy: "Open the app's settings in kintone and read its message; stored values may break a new rule.",
  });

const unfinished = (ids: readonly string[]): FlowError =>
  new FlowError({
    code: "DEPLOY_UNFINISHED",
    message: `The deploy of the apps ${ids.join(", ")} has not ended within its time.`,
    place: `apps ${ids.join(", ")}`,
    remedy: "Wait a while and run the command again: it goes on from where kintone is.",
  });
