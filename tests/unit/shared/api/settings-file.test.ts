import { describe, expect, it } from "vitest";
import {
  type ConnectionSettings,
  DEFAULT_SETTINGS,
  rolesFile,
  SETTING_FAULTS,
  settingsFile,
} from "../../../../shared/api/index.ts";
import en from "../../../../shared/text/en.json" with { type: "json" };
import { connectionSample, rolesSample, settingsSample } from "../../../support/settings-samples.ts";

/** The first fault as `place: fault`, or null for settings that are taken. */
function faultOf(
  value: unknown,
  schema: typeof settingsFile | typeof rolesFile = settingsFile,
): string | null {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue === undefined ? null : `${issue.path.join(".")}: ${issue.message}`;
}

const withConnection = (change: Partial<ConnectionSettings>) =>
  settingsSample({ connections: [connectionSample(change)] });
const apps = (change: Partial<ConnectionSettings["apps"]>) => ({
  apps: { ...connectionSample().apps, ...change },
});
const runner = (change: Partial<ConnectionSettings["runner"]>) => ({
  runner: { ...connectionSample().runner, ...change },
});

describe("settings.json (decisions §1, §2)", () => {
  it.each<[string, Partial<ConnectionSettings>]>([
    ["https with a port", { baseUrl: "https://example.cybozu.com:8443" }],
    ["a trailing slash", { baseUrl: "https://example.cybozu.com/" }],
    ["plain http to this machine", { baseUrl: "http://localhost:48123" }],
    ["a guest space", { guestSpaceId: 7 }],
    ["no request app", apps({ request: null })],
    ["a Windows path", runner({ bin: "C:\\Program Files\\kSQL\\flow.exe", workDir: "D:/work" })],
    ["a network share", runner({ configPath: "\\\\server\\share\\ksql.config.json" })],
    ["a proxy", { proxy: { mode: "manual", url: "http://proxy.example:8080" } }],
  ])("takes %s", (_, change) => {
    expect(faultOf(withConnection(change))).toBeNull();
  });

  it.each<[string, Partial<ConnectionSettings>, string]>([
    ["plain http to another host", { baseUrl: "http://example.test" }, "baseUrl: address"],
    ["an address with a path", { baseUrl: "https://example.test/k" }, "baseUrl: address"],
    ["a password in the address", { baseUrl: "https://a:b@example.test" }, "baseUrl: address"],
    ["a host that only begins like this machine", { baseUrl: "http://localhost.evil" }, "baseUrl: address"],
    ["an app id of zero", apps({ audit: 0 }), "apps.audit: appId"],
    ["one app in two roles", apps({ jobLog: 11 }), "apps.jobLog: sameApp"],
    ["a guest space of zero", { guestSpaceId: 0 }, "guestSpaceId: spaceId"],
    ["a relative path", runner({ workDir: "work" }), "runner.workDir: absolutePath"],
    ["a name of spaces", { name: "  " }, "name: required"],
    ["a line break in a name", { name: "a\nb" }, "name: required"],
    ["a profile with a space", { profile: "prod 1" }, "profile: profile"],
    ["a proxy with a password", { proxy: { mode: "manual", url: "http://a:b@p:1" } }, "proxy.url: proxyUrl"],
    ["a proxy of another scheme", { proxy: { mode: "manual", url: "socks://p:1" } }, "proxy.url: proxyUrl"],
    ["a relative certificate file", { caFile: "ca.pem" }, "caFile: absolutePath"],
  ])("refuses %s beside its field", (_, change, expected) => {
    expect(faultOf(withConnection(change))).toBe(`connections.0.${expected}`);
  });

  it.each([
    [
      "an active connection that is not there",
      { activeConnection: "other" },
      "activeConnection: activeUnknown",
    ],
    [
      "two connections of one name",
      { connections: [connectionSample(), connectionSample({ id: "b" })] },
      "connections.1.name: sameName",
    ],
    [
      "an unknown zone",
      { view: { ...DEFAULT_SETTINGS.view, timeZone: "Asia/Nowhere" } },
      "view.timeZone: timeZone",
    ],
    [
      "a budget nothing can be read with",
      { budget: { requestsPerAppAndDay: 9 } },
      "budget.requestsPerAppAndDay: budget",
    ],
    ["a host with a slash", { hosts: ["HOST-A", "a/b"] }, "hosts.1: host"],
  ])("refuses %s", (_, change, expected) => {
    expect(faultOf(settingsSample(change))).toBe(expected);
  });

  it("has words for every fault in the form", () => {
    for (const name of SETTING_FAULTS) expect(en.settings.fault[name]).not.toBe("");
  });
});

describe("roles.json (decisions §5)", () => {
  it("takes accounts of a domain and refuses one that stands there twice, whatever its case", () => {
    expect(
      faultOf(rolesSample({ accounts: [{ account: "SITE\\sato", mode: "approve" }] }), rolesFile),
    ).toBeNull();
    const twice = rolesSample({
      accounts: [
        { account: "sato", mode: "operate" },
        { account: "SATO", mode: "view" },
      ],
    });
    expect(faultOf(twice, rolesFile)).toBe("accounts.1.account: sameAccount");
  });

  it("refuses roles that leave nobody who may change anything", () => {
    const nobody = rolesSample({ accounts: [{ account: "sato", mode: "view" }] });
    expect(faultOf(nobody, rolesFile)).toBe("otherAccounts: nobodyOperates");
  });
});
