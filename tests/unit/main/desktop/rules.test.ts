import { describe, expect, it } from "vitest";
import { pageOfArguments, pageOfLink } from "../../../../main/desktop/deep-link.ts";
import { allowedHostsFor, decideExternal } from "../../../../main/desktop/external-links.ts";
import { isOwnUrl } from "../../../../main/desktop/origin.ts";
import { contentSecurityPolicy, permissionAllowed } from "../../../../main/desktop/policy.ts";
import { uiFile } from "../../../../main/desktop/ui-files.ts";
import { WINDOW_SECURITY } from "../../../../main/desktop/window-security.ts";

describe("the window's options (electron-desktop R1, R8)", () => {
  it("are these, and cannot be changed", () => {
    expect(WINDOW_SECURITY).toEqual({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      devTools: false,
      spellcheck: false,
    });
    expect(Object.isFrozen(WINDOW_SECURITY)).toBe(true);
  });
});

describe("paths under the private scheme (electron-desktop R2)", () => {
  const served: readonly (readonly [string, readonly string[]])[] = [
    ["app://ui/", ["index.html"]],
    ["app://ui/index.html", ["index.html"]],
    ["app://ui/index.html#/runs/a%2Fb", ["index.html"]],
    ["app://ui/index.html?x=../..", ["index.html"]],
    ["app://ui/assets/index-Dh9_x-.js", ["assets", "index-Dh9_x-.js"]],
    ["app://ui/assets/a.b.c.css", ["assets", "a.b.c.css"]],
  ];
  it.each(served)("%s is a file of the pages", (url, segments) => {
    expect(uiFile(url)).toEqual(segments);
  });

  it.each([
    "app://ui/../../x",
    "app://ui/assets/../index.html",
    "app://ui/%2e%2e/x",
    "app://ui/..%2fx",
    "app://ui/a%00.js",
    "app://ui/a\\b.js",
    "app://ui/C:/Windows/win.ini",
    "app://ui//etc/passwd",
    "app://ui/.env",
    "app://ui/assets/",
    "app://ui/ファイル.js",
    "app://ui/a.js:stream",
    "app://other/index.html",
    "app://ui.example/index.html",
    "app://user@ui/index.html",
    "app://ui:1/index.html",
    "file:///etc/passwd",
    "https://ui/index.html",
    "app:ui/index.html",
    "",
  ])("%s is none", (url) => {
    expect(uiFile(url)).toBeNull();
  });
});

describe("our addresses (electron-desktop I2, R5)", () => {
  it.each([
    ["app://ui/index.html", true],
    ["app://ui/", true],
    ["app://ui", false],
    ["app://UI/", false],
    ["app://ui.example/", false],
    ["app://ui@example.com/", false],
    ["https://example.com/app://ui/", false],
    ["javascript:alert(1)", false],
    ["about:blank", false],
    ["data:text/html,x", false],
    ["not an address", false],
  ])("%s: %s", (url, own) => {
    expect(isOwnUrl(url)).toBe(own);
  });
});

describe("addresses given to the system's browser (electron-desktop R6)", () => {
  const hosts = ["example.cybozu.com", "docs.example.jp"];
  it.each([
    ["https://example.cybozu.com/k/1/", null],
    ["https://docs.example.jp/", null],
    ["https://EXAMPLE.cybozu.com/k/1/", null],
    ["http://example.cybozu.com/", "scheme"],
    ["file:///C:/Windows/System32/calc.exe", "scheme"],
    ["ms-msdt:/id PCWDiagnostic", "malformed"],
    ["ms-msdt:id", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["\\\\server\\share\\x.exe", "malformed"],
    ["//server/share", "malformed"],
    ["https:\\\\example.cybozu.com/", "malformed"],
    ["https://example.cybozu.com.evil.example/", "host"],
    ["https://evil.example/?https://example.cybozu.com/", "host"],
    ["https://user:pass@example.cybozu.com/", "credentials"],
    ["https://example.cybozu.com@evil.example/", "credentials"],
    ["https://example.cybozu.com:8443/", "host"],
    ["https://ехample.cybozu.com/", "host"],
    ["https://example.cybozu.com\u202e/", "malformed"],
    ["https://example.cybozu.com/\n", "malformed"],
    ["", "malformed"],
  ])("%s: refused for %s", (url, reason) => {
    expect(decideExternal(url, hosts)).toMatchObject(
      reason === null ? { open: true } : { open: false, reason },
    );
  });

  it.each([
    ["https://example.cybozu.com", ["example.cybozu.com"]],
    ["http://localhost:3000", []],
    ["https://example.cybozu.com:8443", []],
    ["nonsense", []],
  ])("a kintone at %s allows %s", (baseUrl, hosts) => {
    expect(allowedHostsFor(baseUrl)).toEqual(hosts);
  });
});

describe("links from outside (electron-desktop P7)", () => {
  it.each([
    ["flownet-console://runs", "app://ui/index.html#/runs"],
    ["flownet-console://start/", "app://ui/index.html#/start"],
    ["flownet-console://runs/run_01-A", "app://ui/index.html#/runs/run_01-A"],
    ["flownet-console://runs/a:b@2026-09", "app://ui/index.html#/runs/a%3Ab%402026-09"],
    ["flownet-console://runs/../start", null],
    ["flownet-console://runs/a/b", null],
    ["flownet-console://runs?x=1", null],
    ["flownet-console://runs#/start", null],
    ["flownet-console://start?network=a", null],
    ["flownet-console://elsewhere", null],
    ["flownet-console:runs", null],
    ["FLOWNET-CONSOLE://runs", null],
    [`flownet-console://runs/${"a".repeat(201)}`, null],
    ["https://example.com/", null],
  ])("%s opens %s", (link, page) => {
    expect(pageOfLink(link)).toBe(page);
  });

  it("is taken from a command line that holds exactly one", () => {
    const link = "flownet-console://runs";
    expect(pageOfArguments(["app.exe", "--data-dir", "x", link])).toBe("app://ui/index.html#/runs");
    expect(pageOfArguments(["app.exe"])).toBeNull();
    expect(pageOfArguments(["app.exe", link, link])).toBeNull();
  });
});

describe("policy and permissions (electron-desktop R3, R4, decisions §1)", () => {
  it("lets the page reach nothing and run only our files", () => {
    expect(contentSecurityPolicy("abc").split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-abc'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types flownet-worker",
    ]);
  });

  it("grants the writing of copied text alone", () => {
    const asked = ["notifications", "geolocation", "media", "clipboard-read", "openExternal", "unknown"];
    expect(asked.filter(permissionAllowed)).toEqual([]);
    expect(permissionAllowed("clipboard-sanitized-write")).toBe(true);
  });
});
