import { join, relative, sep } from "node:path";
import { defineConfig, type Plugin } from "vite";

const OUT = join("build", "main");
const root = import.meta.dirname;

/**
 * A bundle moves modules away from the files they name beside themselves: the children's entries, the samples. So
 * every module keeps the place of its source, told relative to the bundle.
 */
function keepSourcePlaces(): Plugin {
  return {
    name: "flownet-source-places",
    transform(code, id) {
      const place = relative(root, id).split(sep).join("/");
      if (!place.startsWith("main/") || !code.includes("import.meta.")) return null;
      const source = `new URL(${JSON.stringify(`../../${place}`)}, import.meta.url)`;
      const moved = code.replaceAll(/import\.meta\.(url|dirname)/g, (_, word) =>
        word === "url" ? `${source}.href` : `placeOf(new URL(".", ${source}))`,
      );
      return { code: `import { fileURLToPath as placeOf } from "node:url";\n${moved}`, map: null };
    },
  };
}

/** The main process (toolchain §8): one ESM bundle for Electron's Node 24, with everything in it but Electron. */
export default defineConfig({
  publicDir: false,
  // The job runner is a process of its own and, for its parser, a part of this one: here it must not start itself.
  define: { "import.meta.main": "false" },
  plugins: [keepSourcePlaces()],
  ssr: { noExternal: true, external: ["electron"] },
  build: {
    ssr: "main/index.ts",
    outDir: OUT,
    emptyOutDir: true,
    target: "node24",
    minify: false,
    rolldownOptions: {
      external: ["electron"],
      output: { format: "es", entryFileNames: "index.js", codeSplitting: false },
    },
  },
});
