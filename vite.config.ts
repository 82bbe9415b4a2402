import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The renderer alone (toolchain §8): the same pages go to the Electron window and to the loopback front. */
export default defineConfig({
  root: "renderer",
  base: "./",
  plugins: [react()],
  // Replaced by a fresh nonce in every page handed out; the UI kit's run-time style sheets carry it (decisions §1).
  html: { cspNonce: "FLOWNET_CSP_NONCE" },
  build: {
    outDir: "../build/renderer",
    emptyOutDir: true,
    target: "chrome156",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // zod is configured in the chunk it lives in: whatever chunk makes a schema first, it makes it without
        // evaluated code, which the page's policy forbids and reports.
        codeSplitting: {
          groups: [{ name: "zod", test: /node_modules[\\/]zod[\\/]|renderer[\\/]zod-setup/ }],
        },
      },
    },
    // The UI kit is one large chunk by nature; pages beside it are split.
    chunkSizeWarningLimit: 900,
  },
});
