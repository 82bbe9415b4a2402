import { isAbsolute, resolve } from "node:path";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { ExportPlan } from "../run/context.ts";
import type { ExportRequest } from "../run/result-outputs.ts";
import type { ImportRequest } from "../sources/import-sources.ts";
import type { ParsedArguments } from "./arguments.ts";

const refuse = (place: string, message: string): { readonly ok: false; readonly error: Problem } =>
  fail({ code: "CONFIG_ERROR", message: `${message} Nothing was read or started.`, place });

const hasControl = (text: string): boolean =>
  [...text].some((character) => character < " " || character === "\u007f");

interface Named {
  readonly name: string;
  readonly value: string;
}

function splitNamed(flag: string, text: string): Result<Named> {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  if (at < 1 || hasControl(name)) return refuse(flag, `${flag} is not <name>=<value>.`);
  return ok({ name, value: text.slice(at + 1) });
}

function allNamed(args: ParsedArguments, flag: string): Result<readonly Named[]> {
  const found: Named[] = [];
  for (const text of args.values(flag)) {
    const split = splitNamed(`--${flag}`, text);
    if (!split.ok) return split;
    found.push(split.value);
  }
  return ok(found);
}

/**
 * The IMPORT files of a run (execution-contract §4.3): names unique across both kinds, absolute paths, one
 * hash at most for a name, every hash for a supplied name, and with an orchestrator a hash for every name.
 */
export function importRequests(
  args: ParsedArguments,
  orchestrated: boolean,
): Result<readonly ImportRequest[]> {
  const hashes = allNamed(args, "expected-import-sha256");
  if (!hashes.ok) return hashes;
  const flag = "--expected-import-sha256";
  const bad = hashes.value.find(({ value }) => !/^[0-9a-f]{64}$/i.test(value));
  if (bad !== undefined) return refuse(flag, `The SHA-256 of "${bad.name}" is not 64 hex digits.`);
  const expected = new Map(hashes.value.map(({ name, value }) => [name, value.toLowerCase()]));
  if (expected.size < hashes.value.length) return refuse(flag, "A source has two hashes.");
  const requests: ImportRequest[] = [];
  for (const kind of ["CSV", "JSON"] as const) {
    const option = `--import-${kind.toLowerCase()}`;
    const supplied = allNamed(args, option.slice(2));
    if (!supplied.ok) return supplied;
    for (const { name, value } of supplied.value) {
      if (requests.some((other) => other.name === name)) {
        return refuse(option, `The source "${name}" is supplied twice.`);
      }
      if (!isAbsolute(value) || value.includes("\0")) {
        return refuse(option, `The path of the source "${name}" is not absolute.`);
      }
      requests.push({ name, kind, path: value, sha256: expected.get(name) ?? null });
    }
  }
  const surplus = [...expected.keys()].find((name) => !requests.some((source) => source.name === name));
  if (surplus !== undefined) return refuse(flag, `The hash of "${surplus}" belongs to no supplied source.`);
  const bare = orchestrated ? requests.find(({ sha256 }) => sha256 === null) : undefined;
  if (bare !== undefined) return refuse(flag, `The source "${bare.name}" has no expected SHA-256.`);
  return ok(requests);
}

/**
 * The EXPORT files of a run (execution-contract §4.4). An unnamed file takes the name `select`. Targets are
 * resolved against `cwd` and compared without case on Windows.
 */
export function exportPlan(
  args: ParsedArguments,
  cwd: string,
  windows: boolean = process.platform === "win32",
): Result<ExportPlan | null> {
  const written = args.values("export-csv");
  const encoding = args.value("export-encoding");
  const timeZone = args.value("export-timezone");
  if (written.length === 0) {
    const alone = encoding !== null ? "--export-encoding" : timeZone !== null ? "--export-timezone" : null;
    return alone === null ? ok(null) : refuse(alone, `${alone} needs --export-csv.`);
  }
  if (encoding !== null && encoding !== "utf8" && encoding !== "sjis") {
    return refuse("--export-encoding", "--export-encoding is neither utf8 nor sjis.");
  }
  if (timeZone !== null && !isZone(timeZone)) {
    return refuse("--export-timezone", "--export-timezone is not an IANA time zone.");
  }
  const files = written.map((text) => exportRequest(text, cwd));
  const problem = exportProblem(files, args, cwd, windows);
  if (problem !== null) return refuse("--export-csv", problem);
  return ok({ files, encoding: encoding ?? "utf8", timeZone });
}

function exportRequest(text: string, cwd: string): ExportRequest {
  const at = text.indexOf("=");
  const path = text.slice(at + 1);
  const target = path === "-" || path === "" ? path : resolve(cwd, path);
  return { name: at === -1 ? "select" : text.slice(0, at), named: at !== -1, target };
}

function exportProblem(
  files: readonly ExportRequest[],
  args: ParsedArguments,
  cwd: string,
  windows: boolean,
): string | null {
  const fold = (path: string): string => (windows ? path.toLowerCase() : path);
  const result = args.value("result-json");
  const taken = new Set(result === null || result === "-" ? [] : [fold(resolve(cwd, result))]);
  if (args.has("dry-run")) return "--export-csv cannot be combined with --dry-run.";
  if (files.length > 1 && files.some(({ named }) => !named)) {
    return "An export without a name must be the only one.";
  }
  for (const { name, named, target } of files) {
    if (named && (name === "" || name.startsWith("#") || hasControl(name))) {
      return `"${name}" is no name of an export: it names a temp table without its #.`;
    }
    if (target === "" || target === "-") return `The export "${name}" has no file.`;
    if (taken.has(fold(target))) return `The file of "${name}" is a target twice, or the result file.`;
    taken.add(fold(target));
  }
  const names = new Set(files.map(({ name }) => name));
  return names.size < files.length ? "Two exports have one name." : null;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
