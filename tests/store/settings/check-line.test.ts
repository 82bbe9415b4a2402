import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeClock } from "../../../main/console/settings/check/clock-probe.ts";
import { CA_FILE, type CheckBench, startCheckBench, startFront, startProxy, told } from "./support.ts";

let bench: CheckBench;
beforeAll(async () => {
  bench = await startCheckBench();
});
afterAll(() => bench.dispose());

describe("the line (electron-desktop L13, kintone-rest W9)", () => {
  it.each([
    [29_000, "confirmed", false],
    [-29_000, "confirmed", false],
    [31_000, "person", false],
    [-59_000, "person", false],
    [61_000, "person", true],
    [-3_600_000, "person", true],
  ])("a clock %i ms away is %s", (skewMs, result, blocks) => {
    const finding = judgeClock({ kind: "read", skewMs, uncertaintyMs: 500 });
    expect([finding.result, finding.blocks ?? false]).toEqual([result, blocks]);
  });

  it.each([
    [0, "confirmed CLOCK_OK"],
    [45_000, "person CLOCK_OFF"],
    [-120_000, "person CLOCK_WRONG blocks"],
  ])("a server whose clock differs by %i ms", async (skewMs, expected) => {
    const front = await startFront(bench.port, { skewMs });
    const items = await bench.check({ baseUrl: `http://localhost:${front.port}` });
    await front.dispose();
    expect(told(items, "clock")).toBe(expected);
  });

  it("says when a server tells no time", async () => {
    const front = await startFront(bench.port, { noDate: true });
    const items = await bench.check({ baseUrl: `http://localhost:${front.port}` });
    await front.dispose();
    expect(told(items, "clock")).toBe("person CLOCK_UNTOLD");
  });

  it("trusts a certificate of an own authority only with its file, and names the chain", async () => {
    const front = await startFront(bench.port, { secure: true });
    const baseUrl = `https://localhost:${front.port}`;
    const bare = await bench.check({ baseUrl });
    const trusted = await bench.check({ baseUrl, caFile: CA_FILE });
    await front.dispose();
    expect(told(bare, "tls")).toBe("person TLS_UNTRUSTED blocks");
    expect(told(bare, "app/state")).toBe("unreadable NOT_ASKED blocks");
    expect(told(trusted, "tls")).toBe("confirmed TLS_OK_OWN_CA");
    expect(trusted.get("tls")?.facts).toMatchObject({ subject: "localhost", authority: CA_FILE });
    expect(told(trusted, "app/state")).toBe("confirmed APP_OK");
    expect(told(trusted, "clock")).toBe("confirmed CLOCK_OK");
  });

  it("goes through a named proxy, whole", async () => {
    const front = await startFront(bench.port, { secure: true });
    const proxy = await startProxy(front.port);
    const url = `http://localhost:${proxy.port}`;
    const items = await bench.check({
      baseUrl: "https://kintone.test",
      proxy: { mode: "manual", url },
      caFile: CA_FILE,
    });
    const names = new Set(proxy.names);
    await proxy.dispose();
    await front.dispose();
    for (const id of ["proxy", "tls", "clock", "app/state"])
      expect(items.get(id)?.result, id).toBe("confirmed");
    expect([...names]).toEqual(["kintone.test:443"]);
  });

  it.each([
    [407, "person PROXY_WANTS_LOGIN blocks"],
    [403, "person PROXY_REFUSED blocks"],
  ])("tells what a proxy answers: %i", async (status, expected) => {
    const proxy = await startProxy(bench.port, status);
    const items = await bench.check({
      baseUrl: "https://kintone.test",
      proxy: { mode: "manual", url: `http://localhost:${proxy.port}` },
    });
    await proxy.dispose();
    expect(told(items, "proxy")).toBe(expected);
  });
});

describe("networks and this host", () => {
  it("looks at every definition of the allow list, and a broken one stops only itself", async () => {
    const allowListPath = join(bench.folder, "networks.yaml");
    const missing = join(bench.folder, "missing.yaml");
    await writeFile(allowListPath, `networks:\n  - network_id: gone\n    definition_path: ${missing}\n`);
    const items = await bench.check({ allowListPath });
    expect(told(items, "allowList")).toBe("confirmed ALLOW_LIST_OK");
    expect(told(items, "definition/gone")).toBe("person DEFINITION_INVALID");
  });

  it("knows this host by the list of hosts, and schedules by their file", async () => {
    const schedulesPath = join(bench.folder, "late.json");
    await writeFile(schedulesPath, "{");
    const items = await bench.check({}, { hosts: ["host-a"], schedulesPath });
    expect([told(items, "host"), told(items, "schedules")]).toEqual([
      "confirmed HOST_KNOWN",
      "person SCHEDULES_INVALID",
    ]);
    const other = await bench.check({}, { hosts: ["HOST-B"] });
    expect([told(other, "host"), told(other, "schedules")]).toEqual([
      "person HOST_UNKNOWN",
      "person SCHEDULES_NONE",
    ]);
  });
});
