import { z } from "zod";
import { APP_ROLES, type AppRole, type AppTemplate } from "../../../shared/records/index.ts";

const differenceSchema = z.object({
  part: z.enum(["field", "view", "app rights", "field rights"]),
  name: z.string(),
  kind: z.string(),
  expected: z.string(),
  found: z.string(),
  applicable: z.boolean(),
});

/** What a set-up found and did. */
export const provisionReportSchema = z.object({
  kind: z.literal("FLOWNET_PROVISION"),
  formatVersion: z.literal(1),
  baseUrl: z.string(),
  guestSpaceId: z.number().nullable(),
  dryRun: z.boolean(),
  apps: z.array(
    z.object({
      role: z.enum(APP_ROLES),
      name: z.string(),
      /** Null for an app that is not there and was not made. */
      appId: z.string().nullable(),
      action: z.enum(["created", "changed", "unchanged", "would create", "would change", "differs"]),
      /** What was found before anything was changed. */
      differences: z.array(differenceSchema),
    }),
  ),
  /** True when all four apps are there and as the template says. */
  complete: z.boolean(),
});
export type ProvisionReport = z.output<typeof provisionReportSchema>;

/** The report for people: one line an app, one a difference. */
export function reportText(report: ProvisionReport): string {
  const lines = report.apps.flatMap(({ role, name, appId, action, differences }) => [
    `${role.padEnd(8)} ${action.padEnd(12)} ${appId === null ? "-" : `app ${appId}`}  ${name}`,
    ...differences.map(
      ({ part, name: what, kind, expected, found, applicable }) =>
        `    ${part} ${what}: ${kind}: expected ${expected || '""'}, found ${found || '""'}${applicable ? "" : " (by hand only)"}`,
    ),
  ]);
  const verdict = report.complete
    ? "All four apps are as the template says."
    : report.dryRun
      ? "Nothing was changed (--dry-run)."
      : "Some apps differ. With --apply-differences they are changed; what says (by hand only) is not.";
  return [...lines, verdict].join("\n");
}

const RIGHT_NAMES = { view: "レコード閲覧", add: "レコード追加", edit: "レコード編集" } as const;

/**
 * The variables a FlowNet host needs for these apps, with empty places for the tokens: kintone has no API that makes
 * them, so each is told with the page and the ticks it needs (kintone-rest §4).
 */
export function environmentText(
  report: ProvisionReport,
  templates: Readonly<Record<AppRole, AppTemplate>>,
): string {
  const lines = [
    "# Variables of a FlowNet host for these apps. Holds secrets once it is filled in: keep it to yourself.",
    "# kintone makes API tokens on its pages only. For each token below: open the page, 生成する, tick the",
    "# rights named, 保存, then アプリを更新; write the token behind the =.",
    `KSQL_FLOWNET_BASE_URL=${report.baseUrl}`,
  ];
  for (const { role, appId } of report.apps) {
    if (appId === null) continue;
    const { name, idVariable, tokens } = templates[role];
    lines.push("", `# ${name}`, `${idVariable}=${appId}`);
    for (const { label, rights, variable } of tokens) {
      const ticks = rights.map((right) => RIGHT_NAMES[right]).join(", ");
      lines.push(`# ${label}: ${tokenPage(report, appId)}  ${ticks}`);
      lines.push(
        variable === null
          ? "# (the variable is named by the runner's own configuration file)"
          : `${variable}=`,
      );
    }
  }
  lines.push("");
  if (report.guestSpaceId !== null) {
    lines.push(
      `# The apps stand in guest space ${report.guestSpaceId}. Variables cannot name one: set up a connection`,
      "# in the console's settings instead, with that space and the ids and tokens above.",
      "",
    );
  }
  return lines.join("\n");
}

function tokenPage({ baseUrl, guestSpaceId }: ProvisionReport, appId: string): string {
  const space = guestSpaceId === null ? "" : `guest/${guestSpaceId}/`;
  return `${baseUrl}/k/${space}admin/app/apitoken?app=${appId}`;
}
