import { describe, expect, it } from "vitest";
import {
  CONNECTION_VARIABLES,
  childEnvironment,
  connectionFromEnv,
  environmentBlock,
  gracePeriodMs,
  isConfigured,
  requestedBy,
} from "../../../../main/console/environment.ts";
import { FlowError, type Problem } from "../../../../shared/domain/problem.ts";

const COMPLETE = {
  KSQL_FLOWNET_PROFILE: "prod",
  KSQL_FLOWNET_BASE_URL: "https://example.test/",
  KSQL_FLOWNET_STATE_APP_ID: "11",
  KSQL_FLOWNET_STATE_API_TOKEN: "state-token",
  KSQL_FLOWNET_AUDIT_APP_ID: "12",
  KSQL_FLOWNET_AUDIT_API_TOKEN: "audit-token",
  KSQL_FLOW_BIN: "/opt/ksql-flow",
  KSQL_FLOW_CONFIG: "ksql.config.json",
  KSQL_FLOW_WORKDIR: "/var/work",
  KSQL_FLOW_LOG_APP_ID: "14",
  KSQL_FLOW_LOG_API_TOKEN: "log-token",
};

const problemOf = (env: Readonly<Record<string, string>>): Problem | null => {
  try {
    connectionFromEnv(env, {}, "/here");
    return null;
  } catch (error) {
    if (error instanceof FlowError) return error.problem;
    throw error;
  }
};

describe("a configured workspace (orchestration section 9.3)", () => {
  it("is meant as soon as one connection variable is set, and not by who asks or how long to wait", () => {
    for (const name of CONNECTION_VARIABLES) expect(isConfigured({ [name]: "x" })).toBe(true);
    expect(
      isConfigured({ KSQL_FLOWNET_REQUESTED_BY: "a", KSQL_FLOW_GRACE_PERIOD_MS: "5", PATH: "/bin" }),
    ).toBe(false);
    expect(isConfigured({ KSQL_FLOWNET_BASE_URL: "" })).toBe(false);
  });

  it("is read with the trailing slash of the address removed and paths against the current folder", () => {
    expect(connectionFromEnv(COMPLETE, {}, "/here")).toMatchObject({
      profile: "prod",
      baseUrl: "https://example.test",
      state: { appId: 11, token: "state-token" },
      request: null,
      allowListPath: null,
      runner: {
        bin: "/opt/ksql-flow",
        binArgs: [],
        configPath: "/here/ksql.config.json",
        workDir: "/var/work",
      },
    });
  });

  it("takes the command's options before the variables", () => {
    const { runner } = connectionFromEnv(COMPLETE, { KSQL_FLOW_BIN: "/other" }, "/here");
    expect(runner.bin).toBe("/other");
  });

  it.each([
    ["words", "a  b", ["a", "b"]],
    ["a JSON array", '["a b","c"]', ["a b", "c"]],
  ])("splits the runner's leading arguments: %s", (_, text, expected) => {
    const { runner } = connectionFromEnv({ ...COMPLETE, KSQL_FLOW_BIN_ARGS: text }, {}, "/");
    expect(runner.binArgs).toEqual(expected);
  });

  it("names every missing variable at once", () => {
    const { KSQL_FLOWNET_STATE_API_TOKEN: _one, KSQL_FLOW_BIN: _two, ...rest } = COMPLETE;
    expect(problemOf(rest)).toMatchObject({
      code: "ENVIRONMENT_INCOMPLETE",
      place: "environment KSQL_FLOWNET_STATE_API_TOKEN, KSQL_FLOW_BIN",
      details: { names: ["KSQL_FLOWNET_STATE_API_TOKEN", "KSQL_FLOW_BIN"] },
    });
  });

  it.each([
    ["an address with a path", { KSQL_FLOWNET_BASE_URL: "https://example.test/k" }, "KSQL_FLOWNET_BASE_URL"],
    ["plain http to another host", { KSQL_FLOWNET_BASE_URL: "http://example.test" }, "KSQL_FLOWNET_BASE_URL"],
    [
      "a password in the address",
      { KSQL_FLOWNET_BASE_URL: "https://u:p@example.test" },
      "KSQL_FLOWNET_BASE_URL",
    ],
    ["no address at all", { KSQL_FLOWNET_BASE_URL: "example" }, "KSQL_FLOWNET_BASE_URL"],
    ["an app id of zero", { KSQL_FLOWNET_AUDIT_APP_ID: "0" }, "KSQL_FLOWNET_AUDIT_APP_ID"],
    ["an app id of words", { KSQL_FLOW_LOG_APP_ID: "log" }, "KSQL_FLOW_LOG_APP_ID"],
    ["a broken array", { KSQL_FLOW_BIN_ARGS: '["a"' }, "KSQL_FLOW_BIN_ARGS"],
    ["an array of numbers", { KSQL_FLOW_BIN_ARGS: "[1]" }, "KSQL_FLOW_BIN_ARGS"],
  ])("refuses %s and says which variable", (_, change, name) => {
    expect(problemOf({ ...COMPLETE, ...change })).toMatchObject({
      code: "ENVIRONMENT_INVALID",
      place: `environment ${name}`,
    });
  });

  it("needs the request app's token only where there is a request app", () => {
    expect(problemOf({ ...COMPLETE, KSQL_FLOWNET_REQUEST_APP_ID: "13" })).toMatchObject({
      details: { names: ["KSQL_FLOWNET_REQUEST_API_TOKEN"] },
    });
  });
});

describe("the environment block", () => {
  it("reads back as the connection it was made of", () => {
    const connection = connectionFromEnv(
      {
        ...COMPLETE,
        KSQL_FLOWNET_REQUEST_APP_ID: "13",
        KSQL_FLOWNET_REQUEST_API_TOKEN: "request-token",
        KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH: "/etc/networks.yaml",
        KSQL_FLOW_BIN_ARGS: '["/opt/a b/cli.js"]',
      },
      {},
      "/here",
    );
    const block = environmentBlock(connection, { TOKEN_DEALS: "deals-token" });
    expect(block).toMatchObject({ TOKEN_DEALS: "deals-token" });
    expect(connectionFromEnv(block, {}, "/elsewhere")).toEqual(connection);
  });

  it("gives a child what the system needs and the runner's tokens, and no token of ours", () => {
    const env = { ...COMPLETE, PATH: "/bin", SECRET: "s" };
    expect(childEnvironment(env, { TOKEN_DEALS: "t" })).toEqual({ PATH: "/bin", TOKEN_DEALS: "t" });
  });
});

describe("who asks and how long to wait", () => {
  it("takes the variable, then the account", () => {
    expect(requestedBy({ KSQL_FLOWNET_REQUESTED_BY: "yamada", USERNAME: "svc" })).toBe("yamada");
    expect(requestedBy({ USERNAME: "svc" })).toBe("svc");
    expect(requestedBy({})).not.toBe("");
  });

  it("waits 30 s by default and refuses what is no time", () => {
    expect(gracePeriodMs({})).toBe(30_000);
    expect(gracePeriodMs({ KSQL_FLOW_GRACE_PERIOD_MS: "1500" })).toBe(1500);
    expect(() => gracePeriodMs({ KSQL_FLOW_GRACE_PERIOD_MS: "soon" })).toThrow(/KSQL_FLOW_GRACE_PERIOD_MS/);
  });
});
