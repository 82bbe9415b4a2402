import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { AppRole } from "../../../shared/records/index.ts";
import type { SetUpAuth } from "../../console/index.ts";
import { invalid, type ParsedArguments } from "../arguments.ts";
import { askSecret } from "../ask-secret.ts";
import type { CliContext, Command } from "../command.ts";
import { shown } from "../shown.ts";

const PASSWORD_VARIABLE = "FLOWNET_PROVISION_PASSWORD";
const TIMEOUT_MS = 60_000;
const APP_OPTIONS: readonly (readonly [AppRole, string])[] = [
  ["state", "--state-app"],
  ["audit", "--audit-app"],
  ["request", "--request-app"],
  ["jobLog", "--job-log-app"],
];

/** `provision`: the four apps on a real kintone, made or compared; never changed without being told. */
export const provision: Command = {
  spec: {
    name: "provision",
    summary: "Makes or compares the four apps on a kintone; changes existing ones only when told.",
    positional: null,
    options: [
      { name: "--base-url", value: "url", text: "https://<domain>", required: true },
      { name: "--guest-space", value: "id", text: "guest space all four apps stand in" },
      {
        name: "--user",
        value: "login",
        text: `login name; the password is in ${PASSWORD_VARIABLE}, or asked for`,
        excludes: ["--token-env"],
      },
      {
        name: "--token-env",
        value: "variable",
        text: "variable with API tokens that may manage their apps, separated by commas; compares only those",
      },
      ...APP_OPTIONS.map(([role, name]) => ({ name, value: "id", text: `id of an existing ${role} app` })),
      { name: "--dry-run", value: null, text: "only tell what would be done" },
      { name: "--apply-differences", value: null, text: "change existing apps to what the template says" },
      { name: "--out", value: "file", text: "write the host's variables there, with places for the tokens" },
      { name: "--json", value: null, text: "print one JSON object" },
    ],
    example: "flownet provision --base-url https://example.cybozu.com --user admin --out tokens.env",
  },
  fallbackCode: "PROVISION_FAILED",
  async run(args, context) {
    const { values, flags } = args;
    const { APP_ROLES, appTemplate } = await import("../../../shared/records/index.ts");
    const { createSettingsClient, environmentText, provisionRemote, provisionReportText, writePrivateFile } =
      await import("../../console/index.ts");
    const out = values["--out"] === undefined ? null : resolve(context.cwd, values["--out"]);
    refuseExisting(out);
    const guestSpaceId = idOf(args, "--guest-space");
    const client = createSettingsClient({
      baseUrl: (values["--base-url"] ?? "").replace(/\/+$/, ""),
      guestSpaceId: guestSpaceId === null ? null : Number(guestSpaceId),
      auth: await authOf(args, context),
      signal: context.signal,
      timeoutMs: TIMEOUT_MS,
    });
    const ids = APP_OPTIONS.flatMap(([role, name]) => {
      const id = idOf(args, name);
      return id === null ? [] : [[role, id] as const];
    });
    const report = await provisionRemote({
      client,
      guestSpaceId: guestSpaceId === null ? null : Number(guestSpaceId),
      ids: Object.fromEntries(ids),
      dryRun: flags.has("--dry-run"),
      applyDifferences: flags.has("--apply-differences"),
      timing: { sleep: (ms) => pause(ms, undefined, { signal: context.signal }), pauseMs: 1_000, looks: 300 },
    });
    context.out(
      flags.has("--json") ? `${JSON.stringify(report)}\n` : `${shown(provisionReportText(report), true)}\n`,
    );
    const [state, audit, request, jobLog] = APP_ROLES.map((role) => appTemplate(role, null));
    if (!flags.has("--dry-run") && state && audit && request && jobLog) {
      const text = environmentText(report, { state, audit, request, jobLog });
      if (out !== null) await writePrivateFile(out, text);
      else if (!flags.has("--json")) context.out(`\n${shown(text, true)}`);
    }
    return report.complete ? 0 : 1;
  },
};

/** A file of an earlier run holds tokens by now. */
function refuseExisting(out: string | null): void {
  if (out === null || !existsSync(out)) return;
  throw new FlowError({
    code: "TARGET_EXISTS",
    message: "There is a file of that name already; nothing was done.",
    place: out,
    remedy: "Name another file, or move that one away.",
  });
}

function idOf({ values }: ParsedArguments, name: string): string | null {
  const text = values[name];
  if (text === undefined) return null;
  if (/^[1-9]\d{0,9}$/.test(text)) return text;
  throw new FlowError(invalid(`Not an id: ${text}`, name, "Give a positive number."));
}

/** Secrets come from the environment or are asked for: an argument would stand in the list of processes. */
async function authOf({ values }: ParsedArguments, context: CliContext): Promise<SetUpAuth> {
  const variable = values["--token-env"];
  if (variable !== undefined) {
    const tokens = context.env[variable] ?? "";
    if (tokens !== "") return { kind: "tokens", tokens };
    throw new FlowError(invalid(`The variable ${variable} is empty.`, "--token-env", "Set it."));
  }
  const user = values["--user"];
  if (user === undefined) {
    throw new FlowError(invalid("Who sets up is not said.", "--user", "Give --user or --token-env."));
  }
  const given = context.env[PASSWORD_VARIABLE] ?? "";
  if (given !== "") return { kind: "user", user, password: given };
  const password = await askSecret(`Password of ${shown(user)}: `, context.signal);
  if (password !== null) return { kind: "user", user, password };
  throw new FlowError(
    invalid("The password is missing.", "--user", `Set ${PASSWORD_VARIABLE}, or run in a terminal.`),
  );
}
