import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditFilter } from "../../../../../shared/api/index.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../../support/console-fixture.ts";
import { rolesSample } from "../../../../support/settings-samples.ts";

const SLOW = 120_000;
const ME = userInfo().username;
const PASSPHRASE = "かぎ の ことば 三つめ";
const ROLES = rolesSample({
  accounts: [
    { account: ME, mode: "approve" },
    { account: "suzuki", mode: "approve" },
  ],
});

let opened: EmbeddedConsole;
beforeAll(async () => {
  opened = await openConsole();
  const { api } = opened;
  const { revision } = value(await api.settings.get({})).roles;
  value(await api.settings.saveRoles({ revision, roles: ROLES }));
  value(await api.approvals.register({ account: "suzuki", passphrase: PASSPHRASE }));
  value(await api.approvals.register({ account: "SUZUKI", passphrase: `${PASSPHRASE} もう一度` }));
  value(await api.approvals.remove({ account: "suzuki" }));
}, SLOW);
afterAll(() => opened.close(), SLOW);

const list = async (filter: AuditFilter) =>
  value(await opened.api.audit.list({ filter, before: null, limit: 100 })).entries;

describe("who may do what, and by which passphrase, in 監査履歴 (decisions §5, operator-ux §2.5)", () => {
  it("tells whose passphrase was registered, replaced and removed, by whom and when", async () => {
    const entries = await list({ kind: "approver" });
    expect(entries.map(({ detail, who, account }) => [detail, who, account])).toEqual([
      ["removed", ME, "suzuki"],
      ["replaced", ME, "suzuki"],
      ["registered", ME, "suzuki"],
    ]);
    expect(entries.every(({ at }) => at !== null)).toBe(true);
    expect(JSON.stringify(await list({}))).not.toContain(PASSPHRASE);
  });

  it("tells of roles that were saved with what each account could do before and after", async () => {
    const [entry] = await list({ kind: "roles" });
    expect(entry).toMatchObject({ detail: "console", who: ME, account: `${ME}, suzuki`, result: null });
    const { fields } = value(await opened.api.audit.entry({ key: entry?.key ?? "" }));
    expect(fields).toContainEqual({ name: "changes.1.account", value: ME });
    expect(fields).toContainEqual({ name: "changes.1.after", value: "approve" });
  });

  it("finds them by the account they are about, and not by a network or a Run", async () => {
    expect((await list({ who: "suzuki" })).map(({ kind }) => kind)).toEqual([
      "approver",
      "approver",
      "approver",
      "roles",
    ]);
    expect(await list({ networkId: "diamond" })).toEqual([]);
    expect(await list({ run: "suzuki" })).toEqual([]);
  });

  it("tells of roles that something else wrote as what was found, and names nobody for it", async () => {
    await writeFile(join(opened.dataDir, "roles.json"), "{ not roles");
    const answer = await opened.api.approvals.register({ account: "suzuki", passphrase: PASSPHRASE });
    expect(code(answer)).toBe("MODE_VIEW_ONLY");
    await opened.host.dispose();
    expect(value(await opened.api.audit.chain({}))).toMatchObject({ state: "sound", lines: 5 });
    const [entry] = await list({ kind: "roles" });
    expect(entry).toMatchObject({ detail: "file", who: null, result: "SETTINGS_FILE_INVALID" });
  });
});
