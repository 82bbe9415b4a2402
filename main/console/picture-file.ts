import { z } from "zod";
import { type RunRow, runRow } from "../../shared/api/index.ts";
import { parseJson } from "./workspace-config.ts";

/** The last picture of the Runs, for a start on which kintone does not answer (electron-desktop N8). */
const keptPictureSchema = z.strictObject({
  kind: z.literal("FLOWNET_PICTURE"),
  formatVersion: z.literal(1),
  baseUrl: z.string(),
  profile: z.string(),
  readAt: z.iso.datetime(),
  rows: z.array(runRow),
});

export interface KeptPicture {
  readonly readAt: string;
  readonly rows: readonly RunRow[];
}

export interface PictureFile {
  /** Null when there is none of this workspace, or none that can be read: it is then made anew. */
  load(): Promise<KeptPicture | null>;
  save(picture: KeptPicture): Promise<void>;
}

export interface PictureFileDeps {
  readonly baseUrl: string;
  readonly profile: string;
  readonly read: () => Promise<string | null>;
  /** Whole or not at all. */
  readonly write: (text: string) => Promise<void>;
}

/** The kept picture of one workspace. A file of another kintone or profile is not this workspace's past. */
export function createPictureFile(deps: PictureFileDeps): PictureFile {
  const { baseUrl, profile } = deps;
  return {
    async load() {
      const text = await deps.read();
      const kept = text === null ? null : keptPictureSchema.safeParse(parseJson(text));
      if (!kept?.success || kept.data.baseUrl !== baseUrl || kept.data.profile !== profile) return null;
      return { readAt: kept.data.readAt, rows: kept.data.rows };
    },
    async save({ readAt, rows }) {
      const body = { kind: "FLOWNET_PICTURE", formatVersion: 1, baseUrl, profile, readAt, rows };
      await deps.write(`${JSON.stringify(body)}\n`);
    },
  };
}
