import { defineConfig } from "vite";

/** The preload (toolchain §8): one CommonJS file, because a sandboxed preload loads neither modules nor further files. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "build/preload",
    emptyOutDir: true,
    target: "chrome156",
    minify: false,
    lib: { entry: "main/desktop/preload.ts", formats: ["cjs"], fileName: () => "preload.cjs" },
    rolldownOptions: { external: ["electron"], output: { codeSplitting: false } },
  },
});
