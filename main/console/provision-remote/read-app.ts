import { z } from "zod";
import type { FoundApp } from "../../../shared/records/index.ts";
import { bodyOf, type SettingsClient } from "./settings-client.ts";

/** Live settings, or those of the preview environment (kintone-rest §12). */
export type Environment = "live" | "preview";

const objects = z.record(z.string(), z.looseObject({}));
const lists = z.array(z.looseObject({}));
const revision = z.string();
const formSchema = z.looseObject({ properties: objects, revision });
const viewsSchema = z.looseObject({ views: objects.nullable() });
const rightsSchema = z.looseObject({ rights: lists });

/** An app with the revision of its settings. */
export interface ReadApp extends FoundApp {
  readonly revision: string;
}

/** Reads what the template speaks of. Rejects with `KINTONE_REFUSED`, `KINTONE_UNREACHABLE`. */
export async function readApp(
  client: SettingsClient,
  app: string,
  environment: Environment,
): Promise<ReadApp> {
  const at = environment === "live" ? "" : "preview/";
  const get = async <T>(name: string, schema: z.ZodType<T>): Promise<T> => {
    const what = `read ${at}${name} of app ${app}`;
    return schema.parse(bodyOf(await client.get(`${at}${name}`, { app }), what));
  };
  const form = await get("app/form/fields.json", formSchema);
  const { views } = await get("app/views.json", viewsSchema);
  const appRights = await get("app/acl.json", rightsSchema);
  const fieldRights = await get("field/acl.json", rightsSchema);
  return {
    revision: form.revision,
    properties: form.properties,
    views: views ?? {},
    appRights: appRights.rights,
    fieldRights: fieldRights.rights,
  };
}

/** Revision of the live settings, or null for an app that was never deployed. */
export async function liveRevision(client: SettingsClient, app: string): Promise<string | null> {
  const reply = await client.get("app/form/fields.json", { app });
  if (reply.kind === "refused" && reply.status === 404) return null;
  return formSchema.parse(bodyOf(reply, `read app ${app}`)).revision;
}
