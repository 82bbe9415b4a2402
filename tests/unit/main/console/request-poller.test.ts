import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decidePolling, type PollFacts, pollerWish } from "../../../../main/console/request-poller/decide.ts";
import {
  pollOptions,
  requireDefinitions,
  requireRequests,
} from "../../../../main/console/request-poller/index.ts";
import { DEFAULT_SETTINGS, settingsFile } from "../../../../shared/api/index.ts";

const PREFIX = "KSQL_FLOWNET_REQUEST_";

describe("heartbeat and stale thresholds (orchestration §7.7, §9.3)", () => {
  it("are one minute and fifteen unless told otherwise", () => {
    expect(pollOptions({})).toEqual({ intervalMs: 30_000, heartbeatMs: 60_000, staleAfterMs: 900_000 });
    const env = { [`${PREFIX}HEARTBEAT_INTERVAL_MS`]: "5000", [`${PREFIX}STALE_AFTER_MS`]: "5001" };
    expect(pollOptions(env)).toMatchObject({ heartbeatMs: 5000, staleAfterMs: 5001 });
  });
  it.each([
    ["stale at the heartbeat", { STALE_AFTER_MS: "60000" }, "STALE_AFTER_MS"],
    ["stale below a longer heartbeat", { HEARTBEAT_INTERVAL_MS: "900001" }, "STALE_AFTER_MS"],
    ["no number", { HEARTBEAT_INTERVAL_MS: "1m" }, "HEARTBEAT_INTERVAL_MS"],
    ["zero", { STALE_AFTER_MS: "0" }, "STALE_AFTER_MS"],
    ["a poll in no time", { POLL_INTERVAL_MS: "999" }, "POLL_INTERVAL_MS"],
  ])("%s is THRESHOLD_INVALID", (_name, values, place) => {
    const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [PREFIX + name, value]));
    expect(() => pollOptions(env)).toThrow(
      expect.objectContaining({
        code: "THRESHOLD_INVALID",
        problem: expect.objectContaining({ place: `environment ${PREFIX}${place}` }),
      }),
    );
  });
});

describe("whether a resident polls (decisions §2)", () => {
  const facts: PollFacts = {
    wish: "auto",
    kind: "configured",
    standsIn: false,
    requestApp: true,
    allowedNetworks: 1,
  };
  it.each<[string, Partial<PollFacts>, boolean]>([
    ["a configured host with app and list", {}, true],
    ["without a request app", { requestApp: false }, false],
    ["without an allow list", { allowedNetworks: 0 }, false],
    ["told not to", { wish: "off" }, false],
    ["the embedded workspace by itself", { kind: "embedded" }, false],
    ["the embedded workspace when told to", { kind: "embedded", wish: "on" }, true],
    ["a workspace that stands in for another, even when told to", { standsIn: true, wish: "on" }, false],
    ["told to without an app", { wish: "on", requestApp: false }, false],
  ])("%s: %o", (_name, over, poll) => {
    expect(decidePolling({ ...facts, ...over }).poll).toBe(poll);
  });
  it("the variable wins over the settings, and settings without a word mean auto", () => {
    expect(pollerWish({}, undefined)).toBe("auto");
    expect(pollerWish({}, "off")).toBe("off");
    expect(pollerWish({ KSQL_FLOWNET_REQUEST_POLLER: "on" }, "off")).toBe("on");
    expect(() => pollerWish({ KSQL_FLOWNET_REQUEST_POLLER: "yes" }, "off")).toThrow(
      expect.objectContaining({ code: "ENVIRONMENT_INVALID" }),
    );
    expect(settingsFile.safeParse({ ...DEFAULT_SETTINGS, requestPoller: "on" }).success).toBe(true);
    expect(settingsFile.safeParse({ ...DEFAULT_SETTINGS, requestPoller: "yes" }).success).toBe(false);
  });
});

describe("what a poller needs before it takes anything (orchestration §7.7)", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "poller-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const networks = [{ networkId: "a", definitionPath: "/a.yaml", appStart: true }];

  it("a request app and an allow list, named as they are configured", () => {
    const none = { requestStore: null, networks: [] };
    expect(() => requireRequests(none, { KSQL_FLOWNET_PROFILE: "prod" })).toThrow(
      expect.objectContaining({
        code: "ENVIRONMENT_INCOMPLETE",
        problem: expect.objectContaining({
          details: {
            names: [`${PREFIX}APP_ID`, `${PREFIX}API_TOKEN`, `${PREFIX}ALLOWLIST_PATH`],
          },
        }),
      }),
    );
    expect(() => requireRequests({ requestStore: null, networks }, {})).toThrow(
      expect.objectContaining({ code: "REQUESTS_NOT_CONFIGURED" }),
    );
  });

  it("definitions that can be read and are the networks' own", async () => {
    const file = path.join(folder, "a.yaml");
    const check = (networkId: string, definitionPath: string) =>
      requireDefinitions([{ networkId, definitionPath, appStart: false }]);
    await expect(check("a", path.join(folder, "none.yaml"))).rejects.toMatchObject({
      code: "NETWORK_DEFINITION_INVALID",
    });
    await writeFile(
      file,
      [
        "schema_version: 1",
        "network_id: a",
        "business_key_policy: { type: explicit }",
        "network_lock: { lease_duration_sec: 90, heartbeat_interval_sec: 30 }",
        "nodes:",
        "  - { id: n, job_id: n, sql: n.sql, depends_on: [], trigger_rule: all_success, idempotent: true }",
        "",
      ].join("\n"),
    );
    await expect(check("b", file)).rejects.toMatchObject({ code: "NETWORK_ID_MISMATCH" });
    await expect(check("a", file)).resolves.toBeUndefined();
  });
});
