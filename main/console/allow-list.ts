import { isAbsolute } from "node:path";
import { parseDocument, stringify } from "yaml";
import { z } from "zod";
import { errorText, FlowError } from "../../shared/domain/problem.ts";
import { writePrivateFile } from "./data-dir.ts";
import type { NetworkEntry } from "./ports.ts";
import { readTextFile } from "./workspace-config.ts";

const entrySchema = z.strictObject({
  network_id: z.string().min(1),
  definition_path: z.string().min(1),
  app_start: z.boolean().default(false),
});
const listSchema = z.strictObject({ networks: z.array(entrySchema).min(1) });

/**
 * Reads the list of networks this host may start (orchestration section 7.7). The definitions themselves are
 * validated when they are started, and by the poller at every start. Errors: `ALLOWLIST_PATH_NOT_ABSOLUTE`,
 * `ALLOWLIST_UNREADABLE`, `ALLOWLIST_PARSE_ERROR`, `CONFIG_SHAPE_INVALID`, `NETWORK_ENTRY_INVALID`,
 * `DUPLICATE_NETWORK`, `DEFINITION_PATH_NOT_ABSOLUTE`.
 */
export async function readAllowList(path: string): Promise<readonly NetworkEntry[]> {
  if (!isAbsolute(path)) throw refuse("ALLOWLIST_PATH_NOT_ABSOLUTE", "The path is not absolute.", path);
  const text = await readList(path);
  if (text === null) throw refuse("ALLOWLIST_UNREADABLE", "There is no such file.", path);
  return parseAllowList(text, path);
}

async function readList(path: string): Promise<string | null> {
  return readTextFile(path).catch((error: unknown) => {
    throw refuse("ALLOWLIST_UNREADABLE", `The file cannot be read: ${errorText(error)}`, path);
  });
}

/** The same for a text; `path` only names the place. */
export function parseAllowList(text: string, path: string): readonly NetworkEntry[] {
  const document = parseDocument(text, { version: "1.2", uniqueKeys: true });
  const broken = document.errors[0];
  if (broken !== undefined) throw refuse("ALLOWLIST_PARSE_ERROR", oneLine(broken.message), path);
  const parsed = listSchema.safeParse(document.toJS());
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const inEntry = issue?.path[0] === "networks" && issue.path.length > 1;
    const place = `${path} ${["$", ...(issue?.path ?? [])].join(".")}`;
    throw refuse(inEntry ? "NETWORK_ENTRY_INVALID" : "CONFIG_SHAPE_INVALID", issue?.message ?? "", place);
  }
  const entries = parsed.data.networks.map((entry) => ({
    networkId: entry.network_id,
    definitionPath: entry.definition_path,
    appStart: entry.app_start,
  }));
  checkEntries(entries, path);
  return entries;
}

/** The parser draws the place below its sentence; that belongs into no message. */
const oneLine = (message: string): string => (message.split("\n")[0] ?? "").replace(/:$/, ".");

function checkEntries(entries: readonly NetworkEntry[], path: string): void {
  entries.forEach((entry, index) => {
    const place = `${path} $.networks.${index}`;
    if (entries.findIndex((other) => other.networkId === entry.networkId) !== index) {
      throw refuse("DUPLICATE_NETWORK", `The network ${entry.networkId} stands here twice.`, place);
    }
    if (!isAbsolute(entry.definitionPath)) {
      throw refuse("DEFINITION_PATH_NOT_ABSOLUTE", "The definition's path is not absolute.", place);
    }
  });
}

/**
 * Writes the list so that `samples` stand in it with their present paths. Everything else of it is the operator's: other
 * entries, whether a sample may be started from the request app, order and comments.
 */
export async function ensureAllowList(
  path: string,
  samples: readonly NetworkEntry[],
): Promise<readonly NetworkEntry[]> {
  const text = await readList(path);
  const next =
    text === null ? stringify({ networks: samples.map(writtenEntry) }) : withSamples(text, path, samples);
  if (text !== next) await writePrivateFile(path, next);
  return parseAllowList(next, path);
}

function withSamples(text: string, path: string, samples: readonly NetworkEntry[]): string {
  const found = parseAllowList(text, path);
  const document = parseDocument(text, { version: "1.2" });
  let changed = false;
  for (const sample of samples) {
    const index = found.findIndex(({ networkId }) => networkId === sample.networkId);
    if (found[index]?.definitionPath === sample.definitionPath) continue;
    changed = true;
    if (index === -1) document.addIn(["networks"], document.createNode(writtenEntry(sample)));
    else document.setIn(["networks", index, "definition_path"], sample.definitionPath);
  }
  // A long path stays in one line.
  return changed ? document.toString({ lineWidth: 0 }) : text;
}

const writtenEntry = (entry: NetworkEntry) => ({
  network_id: entry.networkId,
  definition_path: entry.definitionPath,
  app_start: entry.appStart,
});

function refuse(code: string, message: string, place: string): FlowError {
  const remedy = "The list is YAML: networks: with network_id, definition_path (absolute) and app_start.";
  return new FlowError({ code, message: `The list of networks cannot be used: ${message}`, place, remedy });
}
