import { describe, expect, it } from "vitest";
import { parseConfig, type RunnerProfile, resolveProfile } from "../../../../shared/contract/index.ts";
import type { Result } from "../../../../shared/domain/problem.ts";

const SECRET = "super-secret-token";
const ENV: Readonly<Record<string, string>> = {
  TOKEN: SECRET,
  BASE: "https://Example.cybozu.com:443//",
  EMPTY: "",
};
const lookup = (name: string): string | undefined => ENV[name];

const minimal = { baseUrl: "https://example.cybozu.com" };
const load = (value: unknown, name: string | null = "p"): Result<RunnerProfile> => {
  const config = parseConfig(value);
  return config.ok ? resolveProfile(config.value, name, lookup) : config;
};
const only = (profile: object, rest: object = {}) => ({
  profiles: { p: { ...minimal, ...profile } },
  ...rest,
});

describe("ksql.config.json (execution-contract §12)", () => {
  it("fills every default", () => {
    expect(load({ defaultProfile: "p", ...only({}) }, null)).toEqual({
      ok: true,
      value: {
        name: "p",
        baseUrl: "https://example.cybozu.com",
        timezone: null,
        auth: { type: "apiToken" },
        basicAuth: null,
        guestSpaceId: null,
        apps: {},
        logApp: null,
        limits: { maxApiCalls: null, maxReadRows: 10_000, maxTempRows: 10_000, batchTimeoutSec: 3600 },
        retry: { maxAttempts: 5, initialDelayMs: 1000, maxDelayMs: 60_000, respectRetryAfter: true },
        notifications: { failureWebhook: null, heartbeat: null },
        logging: { localDir: ".ksql/logs", maskFields: [], stripLiterals: false },
        httpTimeoutMs: 30_000,
      },
    });
  });

  it("resolves the environment where it is allowed, and nowhere else", () => {
    const answer = load(
      only({
        baseUrl: "env:BASE",
        timezone: "env:TOKEN",
        apps: { log: { id: 9, tokens: ["env:TOKEN", "plain"] } },
        logApp: "log",
        notifications: { onFailure: { webhook: "env:BASE" }, heartbeat: { url: "env:BASE" } },
      }),
    );
    expect(answer).toMatchObject({
      ok: true,
      value: {
        baseUrl: "https://example.cybozu.com",
        timezone: "env:TOKEN",
        apps: { log: { id: 9, tokens: [SECRET, "plain"] } },
        notifications: { failureWebhook: ENV.BASE, heartbeat: { on: "success" } },
      },
    });
  });

  it("inherits whole keys but never apps and logApp; top-level keys are fall-backs as a whole", () => {
    const config = {
      limits: { maxApiCalls: 7 },
      retry: { maxAttempts: 2 },
      profiles: {
        base: {
          ...minimal,
          timezone: "UTC",
          limits: { maxReadRows: 5 },
          apps: { a: { id: 1 } },
          logApp: "a",
        },
        p: { extends: "base", httpTimeoutMs: 5 },
        q: { extends: "p", limits: { maxTempRows: 3 } },
      },
    };
    expect(load(config)).toMatchObject({
      value: {
        timezone: "UTC",
        apps: {},
        logApp: null,
        httpTimeoutMs: 5,
        limits: { maxApiCalls: null, maxReadRows: 5 },
        retry: { maxAttempts: 2, initialDelayMs: 1000 },
      },
    });
    expect(load(config, "q")).toMatchObject({
      value: { limits: { maxReadRows: 10_000, maxTempRows: 3 }, httpTimeoutMs: 5 },
    });
  });

  it("knows the three ways to authenticate", () => {
    const login = { username: "u", password: "env:TOKEN" };
    expect(load(only({ auth: { type: "password", ...login } }))).toMatchObject({
      value: { auth: { type: "password", username: "u", password: SECRET }, basicAuth: null },
    });
    const basic = { type: "basic", ...login, basicUsername: "b", basicPassword: "env:TOKEN" };
    expect(load(only({ auth: basic }))).toMatchObject({
      value: { basicAuth: { username: "b", password: SECRET } },
    });
    const separate = { auth: { type: "basic", ...login }, basicAuth: { username: "b", password: "p" } };
    expect(load(only(separate))).toMatchObject({ value: { basicAuth: { username: "b", password: "p" } } });
  });

  it.each<[string, unknown, string]>([
    ["not an object", null, "(whole file)"],
    ["no profiles", {}, "profiles"],
    ["an unknown top-level key", { ...only({}), extra: 1 }, "extra"],
    ["an unknown profile key", only({ tokenz: 1 }), "profiles.p.tokenz"],
    ["an unknown app key", only({ apps: { a: { id: 1, token: "x" } } }), "profiles.p.apps.a.token"],
    ["an unknown limit", only({ limits: { max: 1 } }), "profiles.p.limits.max"],
    ["an unknown auth key", only({ auth: { user: "x" } }), "profiles.p.auth.user"],
    [
      "an unknown heartbeat key",
      only({ notifications: { heartbeat: { url: "x", to: 1 } } }),
      "profiles.p.notifications.heartbeat.to",
    ],
    ["a refused key", only({ proxy: "http://p" }), "profiles.p.proxy"],
    ["a refused key", only({ clientCert: {} }), "profiles.p.clientCert"],
    ["an app id of zero", only({ apps: { a: { id: 0 } } }), "profiles.p.apps.a.id"],
    ["an app id as text", only({ apps: { a: { id: "1" } } }), "profiles.p.apps.a.id"],
    ["ten tokens", only({ apps: { a: { id: 1, tokens: Array(10).fill("t") } } }), "profiles.p.apps.a.tokens"],
    ["too many rows", only({ limits: { maxReadRows: 200_001 } }), "profiles.p.limits.maxReadRows"],
    ["a timeout of zero", only({ limits: { batchTimeoutSec: 0 } }), "profiles.p.limits.batchTimeoutSec"],
    ["an HTTP time-out of zero", only({ httpTimeoutMs: 0 }), "profiles.p.httpTimeoutMs"],
    ["a guest space of zero", only({ guestSpaceId: 0 }), "profiles.p.guestSpaceId"],
    ["another auth type", only({ auth: { type: "oauth" } }), "profiles.p.auth.type"],
    [
      "a password login without password",
      only({ auth: { type: "password", username: "u" } }),
      "profiles.p.auth.password",
    ],
    [
      "a basic login without basic user",
      only({ auth: { type: "basic", username: "u", password: "p" } }),
      "profiles.p.auth.basicUsername",
    ],
    ["a log app that is no app", only({ logApp: "constructor" }), "profiles.p.logApp"],
    ["no base URL", { profiles: { p: {} } }, "profiles.p.baseUrl"],
    ["another scheme", only({ baseUrl: "ftp://x" }), "profiles.p.baseUrl"],
    ["credentials in the base URL", only({ baseUrl: "https://u:p@x" }), "profiles.p.baseUrl"],
    ["an impossible port", only({ baseUrl: "https://x:99999" }), "profiles.p.baseUrl"],
    [
      "an unset variable",
      only({ apps: { a: { id: 1, tokens: ["t", "env:NONE"] } } }),
      "profiles.p.apps.a.tokens[1]",
    ],
    [
      "an empty variable",
      only({ basicAuth: { username: "env:EMPTY", password: "x" } }),
      "profiles.p.basicAuth.username",
    ],
    ["an unknown profile", { profiles: {} }, "profiles.p"],
    ["an inherited property as profile", { profiles: { p: { extends: "toString" } } }, "profiles.p.extends"],
    ["an unknown parent", { profiles: { p: { extends: "x" } } }, "profiles.p.extends"],
    ["a circle", { profiles: { p: { extends: "q" }, q: { extends: "p" } } }, "profiles.p"],
  ])("refuses %s and names the key", (_what, config, key) => {
    expect(load(config)).toMatchObject({
      ok: false,
      error: { code: "CONFIG_ERROR", place: `ksql.config.json: ${key}` },
    });
  });

  it("needs a profile name from somewhere", () => {
    expect(load(only({}), null)).toMatchObject({ error: { place: "ksql.config.json: defaultProfile" } });
  });

  it("never repeats a secret in a problem", () => {
    const wrong = only({
      apps: { a: { id: 1, tokens: ["env:TOKEN"] } },
      logApp: "missing",
      basicAuth: { username: "u", password: "" },
    });
    expect(JSON.stringify(load(wrong))).not.toContain(SECRET);
    expect(load(only({ apps: { a: { id: 1, tokens: ["env:TOKEN", "env:NONE"] } } }))).toMatchObject({
      error: { message: expect.stringContaining("NONE") },
    });
  });
});
