/**
 * Which room may use which package. A package that is not listed may be used nowhere: adding a dependency
 * is a decision, and this is where it is written down.
 */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@kintone/rest-api-client": ["main/kintone-client", "tests"],
  "@noble/hashes": ["shared"],
  "@orpc/contract": ["shared/api", "tests"],
  "@orpc/server": ["main/console", "main/desktop", "main/loopback", "tests"],
  "@orpc/client": ["shared/api", "renderer", "tests"],
  "@fluentui/react-components": ["renderer", "tests/unit/renderer"],
  "@fluentui/react-icons": ["renderer"],
  "@tanstack/react-virtual": ["renderer", "tests/unit/renderer"],
  "@xyflow/react": ["renderer", "tests/unit/renderer"],
  elkjs: ["renderer", "tests"],
  i18next: ["renderer", "tests/unit/renderer"],
  "react-i18next": ["renderer", "tests/unit/renderer"],
  react: ["renderer", "tests/unit/renderer"],
  "react-dom": ["renderer", "tests/unit/renderer"],
  zustand: ["renderer", "tests/unit/renderer"],
  ws: ["main/loopback", "tests"],
  yaml: ["main/orchestrator", "main/console", "tests", "tools"],
  zod: ["shared", "main", "renderer", "tests", "tools"],
  electron: ["main/desktop", "main/index.ts", "tests/desktop"],
  koffi: ["main/process"],
  "iconv-lite": ["main/job-runner", "tests"],
  // Tools of development: never in what is shipped.
  "@axe-core/playwright": ["tests"],
  "@playwright/test": ["tests", "configuration", "tools"],
  "@testing-library/dom": ["tests"],
  "@testing-library/react": ["tests"],
  "@vitejs/plugin-react": ["configuration"],
  "app-builder-lib": ["tests/unit/main/desktop"],
  "builder-util": ["tests/unit/main/desktop"],
  "fast-check": ["tests"],
  vite: ["tests", "configuration", "tools"],
  vitest: ["tests", "configuration"],
};

/** Rooms without Node: what runs in a browser or must not know where it runs (architecture section 2). */
export const WITHOUT_NODE: readonly string[] = ["shared", "renderer"];

/** Words that may stand in one file only, so that every message between the processes passes one place. */
export const ONE_FILE_WORDS: readonly string[] = ["ipcMain", "ipcRenderer", "webContents", "BrowserWindow"];

/** `@scope/name/sub` and `name/sub` belong to the package `@scope/name` and `name`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}
