import type { ScannedFile, Violation } from "./model.ts";
import { resolveSpecifier } from "./resolve.ts";

/**
 * Import cycles, one violation a cycle. Type-only imports count too: two files that need each other's
 * types are one file, or a third one is missing between them.
 */
export function findCycles(files: readonly ScannedFile[]): readonly Violation[] {
  const known = new Set(files.map((file) => file.path));
  const next = new Map(
    files.map((file) => [file.path, targetsOf(file).filter((target) => known.has(target))] as const),
  );
  const state = new Map<string, "open" | "closed">();
  const cycles: Violation[] = [];

  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === "closed") return;
    if (state.get(path) === "open") {
      const circle = [...trail.slice(trail.indexOf(path)), path];
      cycles.push({ rule: "cycle", path, line: 1, message: `import cycle: ${circle.join(" -> ")}` });
      return;
    }
    state.set(path, "open");
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, "closed");
  };
  for (const file of files) visit(file.path, []);
  return cycles;
}

function targetsOf(file: ScannedFile): readonly string[] {
  const relative = file.edges.filter((edge) => edge.specifier.startsWith("."));
  return [...new Set(relative.map((edge) => resolveSpecifier(file.path, edge.specifier)))];
}
