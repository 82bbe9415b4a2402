import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { RUNNER_EXIT, type RunnerProfile } from "../../../shared/contract/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { appFields } from "../../../shared/records/index.ts";
import { codeOf, loadProfile } from "../config.ts";
import { createMask } from "../run/masking.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { ProcessEdge } from "./run-command.ts";

/** Name of a log app nobody named otherwise (execution-contract §2.6). */
const DEFAULT_NAME = "kSQL Flow 実行ログ";
const POLLS = 30;
const POLL_MS = 1_000;

const created = z.object({ app: z.coerce.number().int().min(1) });
const deployed = z.object({ apps: z.array(z.object({ status: z.string() })).min(1) });
const refusal = z.object({ code: z.string(), message: z.string() });

class SetupFailure extends Error {}

/** App settings are made through the preview API, which takes a user's login only (kintone-rest §4). */
function previewApi(profile: RunnerProfile) {
  const { auth, basicAuth } = profile;
  if (auth.type === "apiToken") throw new Error("checked by the caller");
  const base64 = (pair: { username: string; password: string }): string =>
    Buffer.from(`${pair.username}:${pair.password}`, "utf8").toString("base64");
  const space = profile.guestSpaceId === null ? "/k/v1" : `/k/guest/${profile.guestSpaceId}/v1`;
  return async (method: "GET" | "POST", path: string, body?: unknown): Promise<unknown> => {
    let response: Response;
    try {
      response = await fetch(`${profile.baseUrl}${space}/preview/${path}`, {
        method,
        headers: {
          "X-Cybozu-Authorization": base64(auth),
          ...(basicAuth !== null && { Authorization: `Basic ${base64(basicAuth)}` }),
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(profile.httpTimeoutMs),
      });
    } catch (error) {
      throw new SetupFailure(`kintone was not reached: ${codeOf(error)}`);
    }
    const text = await response.text();
    const read = jsonOf(text);
    if (response.ok) return read;
    const said = refusal.safeParse(read);
    const words = said.success ? `${said.data.code} ${said.data.message}` : "";
    throw new SetupFailure(`kintone refused preview/${path}: HTTP ${response.status} ${words}`.trim());
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function shaped<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SetupFailure("kintone's answer could not be understood");
}

const properties = (): Readonly<Record<string, unknown>> => appFields("jobLog", null);

async function create(
  name: string,
  api: ReturnType<typeof previewApi>,
  print: (line: string) => void,
  waitMs: number,
): Promise<number> {
  const { app } = shaped(created, await api("POST", "app.json", { name }));
  print(`created the app ${app} "${name}"`);
  await api("POST", "app/form/fields.json", { app, properties: properties() });
  print("added its fields; job_key is unique");
  await api("POST", "app/deploy.json", { apps: [{ app }] });
  for (let poll = 0; poll < POLLS; poll += 1) {
    const { apps } = shaped(deployed, await api("GET", `app/deploy.json?apps[0]=${app}`));
    const status = apps[0]?.status ?? "";
    if (status === "SUCCESS") return app;
    if (status !== "PROCESSING") throw new SetupFailure(`the app ${app} was not deployed: ${status}`);
    await delay(waitMs);
  }
  throw new SetupFailure(`the app ${app} was not deployed within ${POLLS} s; look at it in kintone`);
}

/**
 * `init-logapp` (execution-contract §2.6): makes and deploys a log app, then says what to put into the
 * configuration. Exit 0; 1 without a user's login; 3 when kintone does not take it. Throws FlowError
 * `CONFIG_ERROR` for the configuration.
 */
export async function initLogApp(
  args: ParsedArguments,
  edge: ProcessEdge,
  waitMs: number = POLL_MS,
): Promise<number> {
  const configPath = resolve(edge.cwd, args.value("config") ?? "ksql.config.json");
  const loaded = loadProfile(configPath, args.value("profile"), edge.environment);
  if (!loaded.ok) throw new FlowError(loaded.error);
  const { profile } = loaded.value;
  if (profile.auth.type === "apiToken") {
    throw new FlowError({
      code: "CONFIG_ERROR",
      message: "Apps are made with a user's login, not with API tokens. Nothing was made.",
      place: `profiles.${profile.name}.auth.type`,
      remedy: 'Use a profile with auth.type "password"; the runs themselves may go on with tokens.',
    });
  }
  const mask = createMask(profile);
  const print = (line: string): void => edge.stdout(`${mask(line)}\n`);
  const name = args.value("name") ?? DEFAULT_NAME;
  try {
    const app = await create(name, previewApi(profile), print, waitMs);
    print("deployed. Add to ksql.config.json:");
    print(`  "apps": { "log": { "id": ${app}, "tokens": ["env:KSQL_TOKEN_LOG"] } },`);
    print('  "logApp": "log"');
    return RUNNER_EXIT.success;
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    edge.stderr(mask(`Error [INIT_LOGAPP_FAILED]: The log app could not be set up: ${error.message}.`));
    return RUNNER_EXIT.environment;
  }
}
