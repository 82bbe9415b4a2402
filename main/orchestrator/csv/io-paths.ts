import path from "node:path";
import { expandPattern, type NodeDefinition, type PatternValues } from "../../../shared/domain/index.ts";

/** What the placeholders of a Run's patterns stand for. */
export interface IoFacts {
  readonly businessKey: string;
  readonly profile: string;
  /** Null before there is a Run: `{run_id}` then stays as it is written. */
  readonly runId: string | null;
}

/** One declared file, and where it is. */
export interface IoPath {
  /** Source or sink name. */
  readonly name: string;
  readonly pattern: string;
  /** Below the IO root, the first being `in` or `out`. */
  readonly segments: readonly string[];
  /** The segments joined by `/`: what may be stored and shown, as it names no folder of the host. */
  readonly relative: string;
  /** Absolute. */
  readonly path: string;
}

export interface NodeIo {
  /** Sorted by name in code-unit order. */
  readonly inputs: readonly IoPath[];
  readonly outputs: readonly IoPath[];
}

type FileNode = Pick<NodeDefinition, "id" | "inputs" | "outputs">;

/**
 * Where a node's files are (orchestration section 8.1). Looks at no disk, so a console can show the paths before the
 * files exist. `root`: the IO folder.
 */
export function resolveIo(node: FileNode, facts: IoFacts, root: string): NodeIo {
  const { businessKey, profile, runId } = facts;
  const own = { nodeId: node.id, ...(runId === null ? {} : { runId }) };
  return {
    inputs: pathsOf(root, "in", node.inputs, { businessKey, profile }),
    outputs: pathsOf(root, "out", node.outputs, { businessKey, profile, ...own }),
  };
}

function pathsOf(
  root: string,
  side: "in" | "out",
  patterns: Readonly<Record<string, string>>,
  values: PatternValues,
): readonly IoPath[] {
  return Object.entries(patterns)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, pattern]) => {
      // Both slashes part on every system, as they do in the rule that refuses dots (orchestration section 8.1).
      const parts = expandPattern(pattern, values).split(/[/\\]/);
      const segments = [side, ...parts.filter((part) => part !== "")];
      return { name, pattern, segments, relative: segments.join("/"), path: path.join(root, ...segments) };
    });
}

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$/i;
const FORBIDDEN = '<>:"|?*';

/**
 * Why a name means something else than itself on this system, or null. Windows opens devices, drops trailing dots
 * and hangs a hidden stream behind a colon, each without a word.
 */
export function nameFault(segment: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== "win32") return null;
  if (DEVICE.test(segment)) return `"${segment}" is a device of Windows`;
  if (/[. ]$/.test(segment)) return `"${segment}" ends with a dot or a blank`;
  const odd = [...segment].find((each) => FORBIDDEN.includes(each) || each < " ");
  return odd === undefined ? null : `"${segment}" holds a character that Windows does not take in a name`;
}
