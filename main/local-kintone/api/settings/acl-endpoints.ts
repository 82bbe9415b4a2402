import { z } from "zod";
import { createIssues, KintoneError } from "../../errors.ts";
import {
  ACCESSIBILITIES,
  type AppSettings,
  appRightsOf,
  type Entity,
} from "../../settings/settings-model.ts";
import { codesOf, type Preview } from "../../storage/previews.ts";
import { unknownField, unknownPerson } from "../../texts.ts";
import type { Result } from "../record-endpoints.ts";
import type { Call, Services } from "../services.ts";
import { readShape } from "../shape.ts";
import {
  changePreview,
  checkCondition,
  checkLang,
  checkSettingsRevision,
  managedSide,
  previewSide,
  refuseWhileDeploying,
  type Side,
} from "./preview.ts";
import { SETTINGS_TEXT } from "./texts.ts";

const flag = z.boolean().default(false);
const person = z.object({ type: z.enum(["USER", "GROUP", "ORGANIZATION"]), code: z.string() });
const inField = z.object({ type: z.literal("FIELD_ENTITY"), code: z.string() });
const creator = z
  .object({ type: z.literal("CREATOR") })
  .transform(({ type }): Entity => ({ type, code: null }));
const recordEntity = z.union([person, inField]);

const appRights = z.array(
  z.object({
    entity: z.union([person, creator]),
    includeSubs: flag,
    appEditable: flag,
    recordViewable: flag,
    recordAddable: flag,
    recordEditable: flag,
    recordDeletable: flag,
    recordImportable: flag,
    recordExportable: flag,
  }),
);
const recordRights = z.array(
  z.object({
    filterCond: z.string().default(""),
    entities: z
      .array(
        z.object({
          entity: recordEntity,
          viewable: flag,
          editable: flag,
          deletable: flag,
          includeSubs: flag,
        }),
      )
      .min(1),
  }),
);
const fieldRights = z.array(
  z.object({
    code: z.string(),
    entities: z.array(
      z.object({ accessibility: z.enum(ACCESSIBILITIES), entity: recordEntity, includeSubs: flag }),
    ),
  }),
);

/** One of the three lists of rights. */
interface Rights {
  show(settings: AppSettings): readonly unknown[];
  /** The settings with the list the call sends; throws where it names something that is not there. */
  read(services: Services, call: Call, side: Side): Partial<AppSettings>;
}

function checkPerson(services: Services, { type, code }: Entity): void {
  const { people } = services;
  const isKnown =
    (type === "USER" && people.hasUser(code ?? "")) ||
    (type === "GROUP" && people.hasGroup(code ?? "")) ||
    (type === "ORGANIZATION" && people.hasOrganization(code ?? ""));
  if (isKnown) return;
  if (type === "USER" || type === "GROUP" || type === "ORGANIZATION") throw unknownPerson(type, code ?? "");
}

function fieldCodes(preview: Preview): ReadonlySet<string> {
  return new Set([...codesOf(preview.definitions), ...preview.system.map((field) => field.code)]);
}

function checkEntities(
  services: Services,
  preview: Preview,
  entities: readonly { readonly entity: Entity }[],
): void {
  const codes = fieldCodes(preview);
  for (const { entity } of entities) {
    checkPerson(services, entity);
    const { type, code } = entity;
    if (type === "FIELD_ENTITY" && !codes.has(code ?? "")) throw unknownField(code ?? "");
  }
}

const RIGHTS = {
  app: {
    show: appRightsOf,
    read(services, call, { preview }) {
      const rights = readShape(appRights, call.params.rights, "rights");
      checkEntities(services, preview, rights);
      return { appRights: rights };
    },
  },
  record: {
    show: (settings) => settings.recordRights,
    read(services, call, side) {
      const rights = readShape(recordRights, call.params.rights, "rights");
      for (const { filterCond, entities } of rights) {
        checkEntities(services, side.preview, entities);
        checkCondition(services, call, side, filterCond);
      }
      return { recordRights: rights };
    },
  },
  field: {
    show: (settings) => settings.fieldRights,
    read(services, call, { preview }) {
      const rights = readShape(fieldRights, call.params.rights, "rights");
      const codes = fieldCodes(preview);
      const issues = createIssues();
      rights.forEach(({ code, entities }, index) => {
        if (!codes.has(code)) throw unknownField(code);
        if (rights.findIndex((right) => right.code === code) < index) {
          issues.add(`rights[${index}].code`, SETTINGS_TEXT.nameTwice);
        }
        checkEntities(services, preview, entities);
      });
      issues.throwIfAny();
      return { fieldRights: rights };
    },
  },
} as const satisfies Record<string, Rights>;

export type RightsKind = keyof typeof RIGHTS;
type Endpoint = (services: Services, call: Call) => Result;

function showRights(kind: RightsKind, { preview }: Side): Result {
  return { rights: RIGHTS[kind].show(preview.settings), revision: String(preview.revision) };
}

/** GET `app/acl.json`, `record/acl.json`, `field/acl.json`, live; app management is needed (kintone-rest §12). */
export const getRights =
  (kind: RightsKind): Endpoint =>
  (services, call) => {
    checkLang(call);
    return showRights(kind, managedSide(services, call));
  };

/** The same of the preview. */
export const getPreviewRights =
  (kind: RightsKind): Endpoint =>
  (services, call) => {
    checkLang(call);
    return showRights(kind, previewSide(services, call));
  };

/** PUT of the preview's rights: the whole list (kintone-rest §12). */
export const putPreviewRights =
  (kind: RightsKind): Endpoint =>
  (services, call) =>
    changePreview(services, call, (side) => {
      const changed = RIGHTS[kind].read(services, call, side);
      return { ...side.preview, settings: { ...side.preview.settings, ...changed } };
    });

/** Nobody may lock the app against its own preview: what is not yet live has to be deployed or reverted first. */
const previewOpen = (): KintoneError =>
  new KintoneError(409, "GAIA_DP02", {
    ja: "運用環境に反映していない設定があります。反映または取り消しをしてから実行してください。",
    en: "There are settings that are not deployed. Deploy or revert them first.",
  });

/**
 * PUT of the live rights: in force at once. The service deploys whatever else the preview holds along with it, which
 * nobody expects; here a preview with changes refuses the call.
 */
export const putRights =
  (kind: RightsKind): Endpoint =>
  (services, call) => {
    const side = managedSide(services, call);
    const { app, preview } = side;
    refuseWhileDeploying(services, app);
    if (services.previews.of(app).revision !== preview.revision) throw previewOpen();
    checkSettingsRevision(app, call.params.revision, preview.revision);
    const settings = { ...preview.settings, ...RIGHTS[kind].read(services, call, side) };
    const next = { ...preview, settings, revision: preview.revision + 1 };
    services.apps.deploy(app, next, { form: app.form, person: call.actor.person });
    return { revision: String(next.revision) };
  };
