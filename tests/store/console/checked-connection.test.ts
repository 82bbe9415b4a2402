import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHECK_BELIEVED_MS } from "../../../main/console/checked-connection.ts";
import { type OpenOptions, openWorkspace } from "../../../main/console/index.ts";
import { isRead } from "../../support/fault-proxy.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "checked-"));
});
afterEach(async () => {
  bench.proxy.clear();
  await rm(dataDir, { recursive: true, force: true });
});

/** Three forms, and the rights to add and to edit in two apps. */
const WHOLE_CHECK = 7;
const ahead = (ms: number): Record<string, string> => ({ FLOWNET_TEST_CLOCK_OFFSET_MS: String(ms) });

/** Opens and closes as a one-shot command does; how many requests the opening took. */
async function opening(
  over: Readonly<Record<string, string>> = {},
  more: Partial<OpenOptions> = {},
): Promise<number> {
  bench.kintone.seen.clear();
  const env = { ...bench.workspace.environment(), ...over };
  const workspace = await openWorkspace({ dataDir, env, ...more });
  await workspace.dispose();
  return bench.kintone.seen.list().length;
}

describe("the check of a connection, command after command (fenced-writes section 4)", () => {
  it("is paid once, and anew after its time, by a clock that went back, and for what stays open", async () => {
    expect(await opening()).toBe(WHOLE_CHECK);
    expect(await opening()).toBe(0);
    expect(await opening(ahead(CHECK_BELIEVED_MS - 60_000))).toBe(0);
    expect(await opening(ahead(-60_000))).toBe(WHOLE_CHECK);
    expect(await opening(ahead(CHECK_BELIEVED_MS + 60_000))).toBe(WHOLE_CHECK);
    expect(await opening({}, { evenOffline: true })).toBe(WHOLE_CHECK);
    expect(await opening()).toBe(0);
  });

  it("is of one connection alone, and tells nothing of its tokens", async () => {
    await opening();
    const { audit } = bench.kintone.apps;
    const token = bench.kintone.provision.createToken(String(audit), ["view", "add", "edit"], "another");
    expect(await opening({ KSQL_FLOWNET_AUDIT_API_TOKEN: token })).toBe(WHOLE_CHECK);
    const [name = ""] = (await readdir(dataDir)).filter((file) => file.startsWith("checked-"));
    const kept = await readFile(path.join(dataDir, name), "utf8");
    const tokens = [...bench.kintone.tokens.values()].flat();
    expect([...tokens, token].filter((each) => kept.includes(each))).toEqual([]);
  });

  it("is forgotten at the first answer that is none, and a failed one is never kept", async () => {
    await opening();
    const workspace = await openWorkspace({ dataDir, env: bench.workspace.environment() });
    await workspace.reads.findRunById("netrun_none");
    expect(await opening()).toBe(0);
    bench.proxy.on(isRead, {
      kind: "answer",
      status: 403,
      body: '{"code":"GAIA_NO01","id":"1","message":"no"}',
    });
    await expect(workspace.reads.findRunById("netrun_none")).rejects.toMatchObject({ code: "STORE_REFUSED" });
    await workspace.dispose();
    expect(await opening()).toBe(WHOLE_CHECK);

    const wrong = { KSQL_FLOWNET_STATE_API_TOKEN: "unknownunknownunknownunknownunknownunkno" };
    for (const _ of [1, 2]) {
      await expect(opening(wrong)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
      expect(bench.kintone.seen.list().length).toBeGreaterThan(0);
    }
  });
});
