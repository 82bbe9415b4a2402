import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { readDomain } from "./find-apps.ts";
import { bodyOf, type Parameters, type SettingsClient } from "./settings-client.ts";

const createdSchema = z.looseObject({ app: z.string() });
const spaceSchema = z.looseObject({ defaultThread: z.union([z.string(), z.number()]) });

/**
 * Makes an app in the preview environment and answers its id. There is no way to delete an app, so a lost answer is
 * never followed by a second try: the draft is looked for by its name. Rejects with `APP_CREATION_UNKNOWN`.
 */
export async function createApp(
  client: SettingsClient,
  name: string,
  guestSpaceId: number | null,
): Promise<string> {
  const place = guestSpaceId === null ? {} : await placeIn(client, guestSpaceId);
  const reply = await client.send("POST", "preview/app.json", { name, ...place });
  if (reply.kind !== "unknown") return createdSchema.parse(bodyOf(reply, `make the app "${name}"`)).app;
  const found = (await readDomain(client)).byName(name);
  if (found !== null) return found.id;
  throw new FlowError({
    code: "APP_CREATION_UNKNOWN",
    message: `kintone did not tell whether it made the app "${name}" (${reply.reason}), and none is seen. Nothing was repeated.`,
    place: name,
    remedy: "Wait a minute and run the command again: an app that was made after all is found by its name.",
  });
}

async function placeIn(client: SettingsClient, guestSpaceId: number): Promise<Parameters> {
  const reply = await client.get("space.json", { id: guestSpaceId });
  const { defaultThread } = spaceSchema.parse(bodyOf(reply, `read guest space ${guestSpaceId}`));
  return { space: guestSpaceId, thread: Number(defaultThread) };
}
