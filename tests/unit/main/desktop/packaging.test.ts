import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getConfig, validateConfiguration } from "app-builder-lib/out/util/config/config.js";
import { DebugLogger } from "builder-util";
import { beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
type Configuration = Awaited<ReturnType<typeof getConfig>>;
let config: Configuration;

beforeAll(async () => {
  config = await getConfig(ROOT, join(ROOT, "electron-builder.yml"), null);
});

describe("the packaging's configuration (toolchain §5, electron-desktop §3 and §9)", () => {
  it("is one the packager accepts", async () => {
    await expect(validateConfiguration(config, new DebugLogger(false))).resolves.toBeUndefined();
  });

  it("is held to the packager's schema: an option that does not exist is refused", async () => {
    const bogus = Object.assign({}, config, { win: { ...config.win, bogusOption: true } });
    await expect(validateConfiguration(bogus, new DebugLogger(false))).rejects.toThrow(/configuration\.win/);
  });

  it("switches the fuses as the table of electron-desktop §3 says", () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      resetAdHocDarwinSignature: false,
    });
  });

  it("makes an assisted installer, an MSI and a zip for x64, and nothing that unpacks itself at each start", () => {
    const targets = [config.win?.target ?? []].flat();
    expect(targets).toEqual(["nsis", "msi", "zip"].map((target) => ({ target, arch: ["x64"] })));
    expect(config.nsis).toMatchObject({ oneClick: false, perMachine: true, language: "1041" });
    expect(config.electronLanguages).toEqual(["ja", "en-US"]);
  });

  it("names the executable in ASCII, rebuilds nothing and packs only what was built", () => {
    expect(config.win?.executableName).toMatch(/^[a-z-]+$/);
    expect(config.npmRebuild).toBe(false);
    expect(config.files).toEqual([
      {
        filter: [
          "package.json",
          "build/main/**",
          "build/preload/**",
          "build/renderer/**",
          "!node_modules/**",
        ],
      },
    ]);
  });

  it("brings the Node of the children outside of the archive", () => {
    expect(config.extraResources).toEqual([
      { from: "node_modules/node/bin", to: "node", filter: ["node.exe"] },
    ]);
  });

  it("starts what the build writes", () => {
    const { main } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(main).toBe("build/main/index.js");
  });
});
