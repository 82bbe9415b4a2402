import { join } from "node:path";
import { defineConfig } from "vite";

/**
 * The job runner (toolchain §8): one ESM bundle for the bundled Node. A network starts a process for every node,
 * so what it loads before its first request to kintone is counted in milliseconds.
 */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: "main/job-runner/index.ts",
    outDir: join("build", "job-runner"),
    emptyOutDir: true,
    target: "node24",
    minify: false,
    rolldownOptions: {
      output: { format: "es", entryFileNames: "index.js", codeSplitting: false },
    },
  },
});
