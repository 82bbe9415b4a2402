import { findCycles } from "./cycles.ts";
import { type ImportEdge, importsOf } from "./imports.ts";
import type { ScannedFile, SourceFile, Violation } from "./model.ts";
import { PACKAGES, packageOf, WITHOUT_NODE } from "./packages.ts";
import { resolveSpecifier } from "./resolve.ts";
import { doorBetween, type Room, roomOf } from "./rooms.ts";
import { tokenize } from "./tokens.ts";
import { impureWords, wordsInTooManyFiles } from "./words.ts";

/**
 * Holds every source against architecture section 3: doors between rooms, entrances, packages, Node in
 * pure rooms, cycles, and words that may stand in one file only. Pure: the caller reads the files.
 */
export function checkLayers(sources: readonly SourceFile[]): readonly Violation[] {
  const files = sources.map((source): ScannedFile => {
    const tokens = tokenize(source.text);
    return { path: source.path, tokens, edges: importsOf(tokens) };
  });
  return [
    ...files.flatMap((file) => edgesOf(file)),
    ...files.flatMap(impureWords),
    ...wordsInTooManyFiles(files),
    ...findCycles(files),
  ];
}

function edgesOf(file: ScannedFile): readonly Violation[] {
  const room = roomOf(file.path);
  if (room === null) {
    const message = "this folder is no room of the house: add it to tools/layers/rooms.ts with its doors";
    return [{ rule: "room", path: file.path, line: 1, message }];
  }
  return file.edges.flatMap((edge) => {
    const message = edgeProblem(file.path, room, edge);
    return message === null
      ? []
      : [{ rule: message.rule, path: file.path, line: edge.line, message: message.text }];
  });
}

interface EdgeProblem {
  readonly rule: string;
  readonly text: string;
}

function edgeProblem(path: string, room: Room, edge: ImportEdge): EdgeProblem | null {
  if (edge.specifier.startsWith("node:")) return builtinProblem(room, edge.specifier);
  if (!edge.specifier.startsWith(".")) return packageProblem(path, room, edge.specifier);
  return roomProblem(path, room, edge);
}

function builtinProblem(room: Room, specifier: string): EdgeProblem | null {
  if (!isUnderAny(room.name, WITHOUT_NODE)) return null;
  return { rule: "node", text: `${room.name} must not know Node, but imports ${specifier}` };
}

function packageProblem(path: string, room: Room, specifier: string): EdgeProblem | null {
  const name = packageOf(specifier);
  const allowed = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined;
  if (allowed === undefined) {
    return { rule: "package", text: `${name} is not listed in tools/layers/packages.ts` };
  }
  if (isUnderAny(path, allowed) || allowed.includes(room.name)) return null;
  return { rule: "package", text: `${room.name} may not use ${name} (only ${allowed.join(", ")})` };
}

function roomProblem(path: string, room: Room, edge: ImportEdge): EdgeProblem | null {
  const target = resolveSpecifier(path, edge.specifier);
  const targetRoom = roomOf(target);
  if (targetRoom === null) return dataFileProblem(target);
  if (targetRoom.name === "main/index.ts" && room.name !== "main/index.ts") {
    return { rule: "direction", text: "nobody may import main/index.ts" };
  }
  const door = doorBetween(room, targetRoom);
  if (door === null) {
    return { rule: "direction", text: `${room.name} may not import ${targetRoom.name} (${target})` };
  }
  if (door === "types" && !edge.typeOnly) {
    return { rule: "types-only", text: `${room.name} may only import types of ${targetRoom.name}` };
  }
  if (targetRoom === room || room.name === "tests" || isEntrance(room, targetRoom, target)) return null;
  return { rule: "entrance", text: `${targetRoom.name} is entered through its index.ts, not ${target}` };
}

/**
 * A room inside another takes the outer one's port types from `ports.ts`: through the outer `index.ts`, which
 * hands the inner room out, it would import itself.
 */
function isEntrance(from: Room, to: Room, target: string): boolean {
  if (to.openShelf || target === `${to.name}/index.ts`) return true;
  return from.name.startsWith(`${to.name}/`) && target === `${to.name}/ports.ts`;
}

/** Files at the repository's root that are data, not code. */
function dataFileProblem(target: string): EdgeProblem | null {
  if (target === "package.json") return null;
  return { rule: "room", text: `${target} stands in no room` };
}

function isUnderAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
