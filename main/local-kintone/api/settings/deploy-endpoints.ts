import { z } from "zod";
import { createIssues, invalid } from "../../errors.ts";
import { TEXT } from "../../texts.ts";
import { optionalList, positiveInteger, requiredText, truthy } from "../params.ts";
import type { Result } from "../record-endpoints.ts";
import { type Call, openApp, type Services } from "../services.ts";
import { readShape } from "../shape.ts";
import { checkSettingsRevision, refuseWhileDeploying } from "./preview.ts";
import { SETTINGS_TEXT } from "./texts.ts";

const MAX_APPS = 300;
const MAX_NAME = 64;
const revision = z.union([z.string(), z.number()]).nullish();
const appsInput = z.array(z.object({ app: z.union([z.string(), z.number()]), revision }));

/** POST `preview/app.json`: closed to tokens; the app lives in the preview until it is deployed (kintone-rest §12). */
export function postPreviewApp(services: Services, call: Call): Result {
  call.actor.requireUser();
  const { params } = call;
  const name = requiredText(params.name, "name");
  const issues = createIssues();
  if (name.length > MAX_NAME) {
    issues.add("name", { ja: "65文字より短くなければなりません。", en: "Enter less than 65 characters." });
  }
  issues.throwIfAny();
  const space = placeOf(services, call);
  const app = services.apps.createPreview({ name, ...space, person: call.actor.person });
  services.previews.save(services.previews.live(app));
  return { app: String(app.id), revision: String(app.revision) };
}

interface Place {
  readonly guestSpaceId: number | null;
  readonly spaceId: number | null;
  readonly threadId: number | null;
}

/** Space and thread of a new app: on a guest path always that space (kintone-rest §4). */
function placeOf(services: Services, call: Call): Place {
  const { space, thread } = call.params;
  const given = space === undefined || space === null ? null : positiveInteger(space, "space");
  const spaceId = given ?? call.guestSpaceId;
  if (spaceId === null) return { guestSpaceId: null, spaceId: null, threadId: null };
  const found = services.spaces.open(spaceId, call.guestSpaceId);
  const threadId =
    thread === undefined || thread === null ? found.defaultThread : positiveInteger(thread, "thread");
  return { guestSpaceId: found.isGuest ? spaceId : null, spaceId, threadId };
}

/** POST `preview/app/deploy.json`: at most 300 apps, all or none, carried out later (kintone-rest §12). */
export function postDeploy(services: Services, call: Call): Result {
  const list = readShape(appsInput, call.params.apps, "apps");
  if (list.length === 0 || list.length > MAX_APPS) throw invalid("apps", SETTINGS_TEXT.deployLimit);
  const seen = new Set<number>();
  list.forEach(({ app: raw, revision: given }, index) => {
    const id = positiveInteger(raw, `apps[${index}].app`);
    if (seen.has(id)) throw invalid(`apps[${index}].app`, SETTINGS_TEXT.appTwice);
    seen.add(id);
    const app = openApp(services, call, services.apps.findAny(id), id);
    call.actor.require(app, "manage");
    refuseWhileDeploying(services, app);
    checkSettingsRevision(app, given, services.previews.of(app).revision, `apps[${index}].revision`);
  });
  services.deploys.queue([...seen], {
    due: services.clock.now() + services.switches.deployMs,
    revert: truthy(call.params.revert),
    person: call.actor.person,
  });
  return {};
}

/** GET `preview/app/deploy.json`: the last deploy of each app; `SUCCESS` where there was none (kintone-rest §12). */
export function getDeploy(services: Services, call: Call): Result {
  const list = optionalList(call.params.apps);
  if (list === null || list.length === 0) throw invalid("apps", TEXT.parameterRequired);
  if (list.length > MAX_APPS) throw invalid("apps", SETTINGS_TEXT.deployLimit);
  const apps = list.map((raw, index) => {
    const id = positiveInteger(raw, `apps[${index}]`);
    const app = openApp(services, call, services.apps.findAny(id), id);
    call.actor.require(app, "manage");
    return { app: String(id), status: services.deploys.statusOf(id) };
  });
  return { apps };
}
