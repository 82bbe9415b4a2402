import { invalid, KintoneError } from "../../errors.ts";
import type { AppState } from "../../model.ts";
import { numberedFields, settingsParts } from "../../storage/app-rows.ts";
import type { Preview } from "../../storage/previews.ts";
import { TEXT } from "../../texts.ts";
import { unbound } from "../auth.ts";
import { expectedRevision } from "../params.ts";
import type { Result } from "../record-endpoints.ts";
import { type Call, callAnyApp, callApp, type Services } from "../services.ts";

/** 409 `GAIA_CO03` (kintone-rest §7). */
const staleSettings = (app: AppState): KintoneError =>
  new KintoneError(409, "GAIA_CO03", {
    ja: `指定したrevisionは最新ではありません。ほかのユーザーがアプリ（id: ${app.id}）の設定を更新した可能性があります。`,
    en: `The revision is not the latest. Someone may update the app settings (ID: ${app.id}).`,
  });

/** The code is not established (kintone-rest §18): chosen here. */
const deploying = (app: AppState): KintoneError =>
  new KintoneError(409, "GAIA_DP01", {
    ja: `アプリ（id: ${app.id}）の設定を運用環境に反映しています。完了してから再度お試しください。`,
    en: `The settings of the app (ID: ${app.id}) are being deployed. Try again after that.`,
  });

/** Throws 409 `GAIA_CO03` when a revision was given and is not that of the settings (kintone-rest §7). */
export function checkSettingsRevision(
  app: AppState,
  given: unknown,
  current: number,
  key = "revision",
): void {
  const revision = expectedRevision(given, key);
  if (revision !== null && revision !== current) throw staleSettings(app);
}

/** Throws while a deploy of the app is under way (kintone-rest §12). */
export function refuseWhileDeploying(services: Services, app: AppState): void {
  if (services.deploys.statusOf(app.id) === "PROCESSING") throw deploying(app);
}

/** The preview as an app, for what works on apps: showing a form, checking a condition. */
function previewState(app: AppState, preview: Preview): AppState {
  return {
    ...app,
    name: preview.name,
    // Conditions are compiled here for their checks alone, and compiled conditions are kept by revision: a preview must
    // not share the number of a live form.
    revision: -preview.revision,
    fields: numberedFields(preview.definitions, new Map()),
    system: preview.system,
    ...settingsParts(preview.settings),
  };
}

/** Settings as one side has them. */
export interface Side {
  readonly app: AppState;
  readonly preview: Preview;
}

/** Reads the preview side; app management is needed (kintone-rest §4). */
export function previewSide(services: Services, call: Call): Side {
  const app = callAnyApp(services, call);
  call.actor.require(app, "manage");
  return { app, preview: services.previews.of(app) };
}

/** Reads the live side for who may see an app: view or add is enough (kintone-rest §4). */
export function liveSide(services: Services, call: Call): Side {
  const app = callApp(services, call);
  if (!call.actor.holds(app, "add")) call.actor.require(app, "view");
  return { app, preview: services.previews.live(app) };
}

/** Reads the live side for who may manage the app: rights are told to nobody else. */
export function managedSide(services: Services, call: Call): Side {
  const app = callApp(services, call);
  call.actor.require(app, "manage");
  return { app, preview: services.previews.live(app) };
}

/**
 * Changes the preview of an app: shape -> app -> permission -> deploy under way -> revision -> content (kintone-rest
 * §7, §12). Every change advances the preview's revision, one that changes nothing too; `more` is answered beside it.
 */
export function changePreview(
  services: Services,
  call: Call,
  change: (side: Side) => Preview,
  more: (next: Preview) => Result = () => ({}),
): Result {
  const side = previewSide(services, call);
  refuseWhileDeploying(services, side.app);
  checkSettingsRevision(side.app, call.params.revision, side.preview.revision);
  const next = { ...change(side), revision: side.preview.revision + 1 };
  services.previews.save(next);
  return { ...more(next), revision: String(next.revision) };
}

/** The `lang` parameter; labels have one wording here, so only its value is checked (kintone-rest §5). */
export function checkLang(call: Call): void {
  const { lang } = call.params;
  if (lang !== undefined && !["default", "ja", "en", "zh", "user"].includes(String(lang))) {
    throw invalid("lang", TEXT.enumValue);
  }
}

/** Refuses a condition or a sort order the form does not carry (kintone-rest §13.4). */
export function checkCondition(services: Services, call: Call, side: Side, condition: string): void {
  services.compile(previewState(side.app, side.preview), condition, unbound(call.actor));
}
