import { z } from "zod";
import { APP_ROLES, appTemplate } from "../../shared/records/index.ts";
import { ensureLocalKintone } from "../local-kintone/index.ts";
import { provisionApps } from "./provision.ts";

export const createdAppsSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_APPS"),
  formatVersion: z.literal(1),
  /** Of the workspace, with its sub-path. */
  baseUrl: z.string(),
  /** Ids and tokens under the names other programs read them by. Holds tokens. */
  env: z.record(z.string(), z.string()),
});
export type CreatedApps = z.output<typeof createdAppsSchema>;

/**
 * Makes the four apps in a workspace of the local kintone, or completes those that are there; the server is started
 * when none runs. Rejects like `ensureLocalKintone`, and with `WORKSPACE_NAME_INVALID`.
 */
export async function createLocalApps(
  workspace: { readonly dataDir: string; readonly name: string | null },
  signal: AbortSignal,
): Promise<CreatedApps> {
  const { dataDir, name } = workspace;
  const server = await ensureLocalKintone({ dataDir, execPath: process.execPath, signal });
  try {
    const provisioner = name === null ? server.provisioner : await server.provisioner.createWorkspace(name);
    const { flow } = await provisionApps(provisioner, []);
    const baseUrl = name === null ? server.baseUrl : `${server.baseUrl}/${name}`;
    const variables = APP_ROLES.flatMap((role) => {
      const { idVariable, tokens } = appTemplate(role, null);
      const named = tokens.flatMap(({ variable }) =>
        variable === null ? [] : [[variable, flow[role].token] as const],
      );
      return [[idVariable, String(flow[role].appId)] as const, ...named];
    });
    return {
      kind: "LOCAL_KINTONE_APPS",
      formatVersion: 1,
      baseUrl,
      env: { KSQL_FLOWNET_BASE_URL: baseUrl, ...Object.fromEntries(variables) },
    };
  } finally {
    await server.release();
  }
}
