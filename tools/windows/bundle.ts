import { globSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build } from "vite";

/** Programs the suite starts beside itself, and the one the process manager starts. */
const ENTRIES = [
  "tests/windows/suite.ts",
  "tests/windows/children/*.ts",
  "main/process/windows/send-break.ts",
  "main/job-runner/index.ts",
];

/**
 * Bundles the suite for Windows Node 22 into `folder`. Every module keeps its place and its name, since programs are
 * found beside the module that starts them; Node 22 takes the result for TypeScript without types. Packages go in,
 * except the one with a native part, which is required from the folder above.
 */
export async function bundleSuite(root: string, folder: string): Promise<void> {
  const entries = ENTRIES.flatMap((pattern) => globSync(pattern, { cwd: root }));
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: ["koffi"] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: "node22",
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [placeOf(entry), join(root, entry)])),
        external: ["koffi"],
        output: {
          format: "es",
          preserveModules: true,
          preserveModulesRoot: root,
          entryFileNames: ({ facadeModuleId, name }) => fileNameOf(root, facadeModuleId, name),
        },
      },
    },
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
}

/** `.ts` for ours; a package's module gets an ending that needs no package of its own around it. */
function fileNameOf(root: string, id: string | null, name: string): string {
  const place = id === null ? "" : placeOf(relative(root, id));
  const ours = /^(?:main|shared|tests)\/.*\.ts$/.test(`${place}.ts`) && !place.includes("node_modules");
  return ours ? `${place}.ts` : `${name.replaceAll("node_modules", "packages")}.mjs`;
}

const placeOf = (path: string): string => path.split(sep).join("/").replace(/\.ts$/, "");
