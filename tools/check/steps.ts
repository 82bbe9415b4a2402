import { join } from "node:path";

/** One step of the check: a program of the installed packages, and how its outcome is counted. */
export interface Step {
  readonly name: string;
  /** Arguments of this Node: the program's file first. */
  readonly args: readonly string[];
  readonly counts: "one" | "vitest" | "playwright";
}

const bin = {
  biome: join("node_modules", "@biomejs", "biome", "bin", "biome"),
  tsc: join("node_modules", "typescript", "bin", "tsc"),
  vite: join("node_modules", "vite", "bin", "vite.js"),
  vitest: join("node_modules", "vitest", "vitest.mjs"),
  playwright: join("node_modules", "@playwright", "test", "cli.js"),
};

const vitest = (name: string, ...projects: readonly string[]): Step => ({
  name,
  args: [bin.vitest, "run", ...projects.flatMap((project) => ["--project", project])],
  counts: "vitest",
});

/**
 * Everything `npm test` runs, cheapest first. Packages' programs are started as files of this Node: on
 * Windows a bare name would start the outer Node or need a shell.
 */
export const STEPS: readonly Step[] = [
  { name: "lint", args: [bin.biome, "ci", "."], counts: "one" },
  { name: "types shared", args: [bin.tsc, "-p", "shared"], counts: "one" },
  { name: "types main", args: [bin.tsc, "-p", "."], counts: "one" },
  { name: "types renderer", args: [bin.tsc, "-p", "renderer"], counts: "one" },
  { name: "types console", args: [bin.tsc, "-p", join("tests", "console")], counts: "one" },
  { name: "layering", args: [join("tools", "check-layers.ts")], counts: "one" },
  { name: "text keys", args: [join("tools", "check-text-keys.ts")], counts: "one" },
  vitest("unit", "unit", "renderer"),
  vitest("store", "store"),
  // One suite for every platform: `npm run test:windows` runs the same file on a Windows Node.
  { name: "processes", args: [join("tests", "windows", "suite.ts")], counts: "one" },
  { name: "build", args: [bin.vite, "build"], counts: "one" },
  { name: "build preload", args: [bin.vite, "build", "-c", "vite.preload.config.ts"], counts: "one" },
  { name: "build main", args: [bin.vite, "build", "-c", "vite.main.config.ts"], counts: "one" },
  { name: "build runner", args: [bin.vite, "build", "-c", "vite.runner.config.ts"], counts: "one" },
  vitest("scenarios", "scenarios"),
  { name: "console", args: [bin.playwright, "test"], counts: "playwright" },
  { name: "desktop", args: [bin.playwright, "test", "-c", join("tests", "desktop")], counts: "playwright" },
];
