import { describe, expect, it } from "vitest";
import { findOrInstallBrowser, type Machine } from "../../../tools/check/browser.ts";
import { runBounded } from "../../../tools/check/run-bounded.ts";
import { oneCheck, playwrightTally, sum, tallyLine, vitestTally } from "../../../tools/check/tally.ts";

describe("the tally that ends npm test", () => {
  it("names skipped checks only when there are any", () => {
    expect(tallyLine({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
    expect(tallyLine(sum(oneCheck(true), { passed: 0, failed: 1, skipped: 2 }))).toBe(
      "1 passed, 1 failed, 2 skipped",
    );
  });

  it("counts a test file that could not be loaded as a failure", () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 0,
      numPendingTests: 1,
      testResults: [
        { status: "passed", assertionResults: [{}] },
        { status: "failed", assertionResults: [] },
      ],
    };
    expect(vitestTally(JSON.stringify(report))).toEqual({ passed: 4, failed: 1, skipped: 1 });
  });

  it("counts a browser test that needed a second try as failed", () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] };
    expect(playwrightTally(JSON.stringify(report))).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it.each(["", "null", "{}", "not json"])("takes %j for no report", (text) => {
    expect(vitestTally(text)).toBeNull();
    expect(playwrightTally(text)).toBeNull();
  });
});

describe("the browser finder", () => {
  const machine = (
    over: Partial<Machine> & { readonly there?: readonly string[] },
  ): Machine & { ran: string[] } => {
    const ran: string[] = [];
    const there = new Set(over.there ?? []);
    return {
      ran,
      platform: "linux",
      env: { PATH: "/usr/bin:/bin" },
      isRoot: false,
      isExecutable: (path) => there.has(path),
      run: (command, args) => {
        ran.push([command, ...args].join(" "));
        if (command === "apt-get" && args.includes("install")) there.add("/usr/bin/chromium");
        return command === "apt-get" ? 0 : 1;
      },
      playwrightChromium: () => null,
      ...over,
    };
  };

  it("takes CHROMIUM_PATH before anything else, and refuses a wrong one", () => {
    const env = { PATH: "/usr/bin", CHROMIUM_PATH: "/opt/c" };
    expect(findOrInstallBrowser(machine({ env, there: ["/opt/c"] }))).toMatchObject({ path: "/opt/c" });
    expect(findOrInstallBrowser(machine({ env, there: ["/usr/bin/chromium"] }))).toMatchObject({
      kind: "missing",
    });
  });

  it.each(["chromium", "google-chrome", "microsoft-edge"])("finds an installed %s on PATH", (name) => {
    const found = findOrInstallBrowser(machine({ there: [`/bin/${name}`] }));
    expect(found).toEqual({ kind: "found", path: `/bin/${name}`, how: "installed" });
  });

  it("installs Debian's Chromium and Japanese glyphs as root", () => {
    const host = machine({ isRoot: true, there: ["/usr/bin/apt-get"] });
    expect(findOrInstallBrowser(host)).toMatchObject({ kind: "found", path: "/usr/bin/chromium" });
    expect(host.ran).toEqual([
      "apt-get update",
      "apt-get install -y --no-install-recommends chromium fonts-noto-cjk",
    ]);
  });

  it("without root tries Playwright's own and then says exactly what to do", () => {
    const host = machine({ there: ["/usr/bin/apt-get"] });
    expect(findOrInstallBrowser(host)).toEqual({
      kind: "missing",
      reason: "no Chromium, Chrome or Edge was found and none could be installed",
      remedy: "As root: apt-get install -y --no-install-recommends chromium fonts-noto-cjk",
    });
    expect(host.ran).toHaveLength(1);
    expect(host.ran[0]).toContain("install chromium");
  });
});

describe("a step of the check", () => {
  it("answers its exit code", async () => {
    expect(await runBounded(["-e", "process.exit(3)"], 60_000, {})).toEqual({ code: 3, timedOut: false });
  });

  it("is ended when it is stuck", async () => {
    const stuck = await runBounded(["-e", "for (;;) {}"], 500, {});
    expect(stuck).toEqual({ code: null, timedOut: true });
  });
});
