import type { Services } from "../api/services.ts";
import { createIssues } from "../errors.ts";
import type { AppState } from "../model.ts";
import type { Deploy } from "../storage/deploys.ts";
import { storageFailure } from "../storage/failures.ts";
import type { Preview } from "../storage/previews.ts";
import { planRecordChanges } from "./plan.ts";
import { rewriteRecords } from "./rewrite.ts";
import { tightenFields } from "./tighten.ts";

/** Names the app whose settings could not be put into force; the whole batch is rolled back. */
class DeployFailed extends Error {
  override readonly name = "DeployFailed";
  readonly app: number;
  readonly outcome: "FAIL" | "CANCEL";

  constructor(app: number, outcome: "FAIL" | "CANCEL") {
    super(`the deploy of app ${app} failed`);
    this.app = app;
    this.outcome = outcome;
  }
}

/** Drops the changes of a preview. Its revision goes on, so that nothing read before passes as current. */
function revert(services: Services, app: AppState, preview: Preview): void {
  if (!app.deployed) return;
  services.previews.save({ ...services.previews.live(app), revision: preview.revision + 1 });
}

function bringLive(services: Services, app: AppState, preview: Preview, deploy: Deploy): void {
  const changes = planRecordChanges(app, preview);
  const form = changes.formChanged ? preview.revision : app.form;
  const next = services.apps.deploy(app, preview, { form, person: deploy.person });
  services.previews.drop(app.id);
  const issues = createIssues();
  if (changes.rewrite) rewriteRecords(services, { live: app, next, changes, issues });
  else tightenFields(services, { live: app, next, codes: changes.tightened, issues });
  // Values that violate the new limits: nothing of the batch comes into force (kintone-rest §12).
  if (issues.map.size > 0) throw new DeployFailed(app.id, "FAIL");
}

function carryOut(services: Services, deploy: Deploy): void {
  const app = services.apps.findAny(deploy.app);
  if (app === null) throw new DeployFailed(deploy.app, "FAIL");
  const outcome = services.switches.deployOutcome?.(app.id) ?? null;
  if (outcome !== null) throw new DeployFailed(app.id, outcome);
  const preview = services.previews.of(app);
  if (deploy.revert) revert(services, app, preview);
  else bringLive(services, app, preview, deploy);
  services.deploys.end(app.id, "SUCCESS");
}

/** How long a batch waits that could not even be ended, in milliseconds: a full disk is asked again, not at every request. */
const TRY_AGAIN_MS = 5_000;

/** Ends a batch that did not come into force; false when that cannot be stored either. */
function endBatch(services: Services, batch: readonly Deploy[], failed: DeployFailed): boolean {
  try {
    services.database.write(() => {
      for (const { app } of batch) services.deploys.end(app, app === failed.app ? failed.outcome : "CANCEL");
    });
    return true;
  } catch (error) {
    if (storageFailure(error) === null) throw error;
    return false;
  }
}

/** Whatever breaks ends the deploy: a batch tried anew by every request would keep all apps from answering. */
function runBatch(services: Services, batch: readonly Deploy[]): void {
  let ended = true;
  try {
    services.database.write(() => {
      for (const deploy of batch) carryOut(services, deploy);
    });
  } catch (error) {
    const failed = error instanceof DeployFailed ? error : new DeployFailed(batch[0]?.app ?? 0, "FAIL");
    ended = endBatch(services, batch, failed);
    if (failed !== error && storageFailure(error) === null) throw error;
  } finally {
    services.apps.refresh();
    services.deploys.refresh(ended ? 0 : services.clock.now() + TRY_AGAIN_MS);
  }
}

/**
 * Carries out every deploy that is due (kintone-rest §12): a batch comes into force as a whole or not at all, one app
 * ending in `FAIL` and the others in `CANCEL`. Called before a request is answered, so that the injected clock alone
 * decides when a deploy ends and no timer has to be kept.
 */
export function settleDeploys(services: Services): void {
  for (;;) {
    const batch = services.deploys.due(services.clock.now());
    if (batch.length === 0) return;
    runBatch(services, batch);
  }
}
