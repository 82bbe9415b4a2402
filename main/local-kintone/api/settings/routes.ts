import { configure, type Methods, show } from "../handlers.ts";
import {
  getPreviewRights,
  getRights,
  putPreviewRights,
  putRights,
  type RightsKind,
} from "./acl-endpoints.ts";
import { getDeploy, postDeploy, postPreviewApp } from "./deploy-endpoints.ts";
import {
  deletePreviewFields,
  getFormFields,
  getPreviewFields,
  postPreviewFields,
  putPreviewFields,
} from "./form-endpoints.ts";
import { getPreviewSettings, getSettings, putPreviewSettings } from "./general-endpoints.ts";
import { getLayout, getPreviewLayout, putPreviewLayout } from "./layout-endpoints.ts";
import { getPreviewProcess, getProcess, putPreviewProcess } from "./process-endpoints.ts";
import { getPreviewViews, getViews, putPreviewViews } from "./view-endpoints.ts";

const rights = (path: string, kind: RightsKind): readonly (readonly [string, Methods])[] => [
  [path, { GET: show(getRights(kind)), PUT: configure(putRights(kind)) }],
  [`preview/${path}`, { GET: show(getPreviewRights(kind)), PUT: configure(putPreviewRights(kind)) }],
];

/** Paths of settings, live and preview (kintone-rest §12). */
export const SETTINGS_ROUTES: readonly (readonly [string, Methods])[] = [
  ["app/form/fields.json", { GET: show(getFormFields) }],
  [
    "preview/app/form/fields.json",
    {
      GET: show(getPreviewFields),
      POST: configure(postPreviewFields),
      PUT: configure(putPreviewFields),
      DELETE: configure(deletePreviewFields),
    },
  ],
  ["app/form/layout.json", { GET: show(getLayout) }],
  ["preview/app/form/layout.json", { GET: show(getPreviewLayout), PUT: configure(putPreviewLayout) }],
  ["app/settings.json", { GET: show(getSettings) }],
  ["preview/app/settings.json", { GET: show(getPreviewSettings), PUT: configure(putPreviewSettings) }],
  ["app/views.json", { GET: show(getViews) }],
  ["preview/app/views.json", { GET: show(getPreviewViews), PUT: configure(putPreviewViews) }],
  ["app/status.json", { GET: show(getProcess) }],
  ["preview/app/status.json", { GET: show(getPreviewProcess), PUT: configure(putPreviewProcess) }],
  ...rights("app/acl.json", "app"),
  ...rights("record/acl.json", "record"),
  ...rights("field/acl.json", "field"),
  ["preview/app.json", { POST: configure(postPreviewApp) }],
  ["preview/app/deploy.json", { GET: show(getDeploy), POST: configure(postDeploy) }],
];
