import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApprovers, openApproversFile } from "../../../../../main/console/acting/people/approvers.ts";
import { openRolesFile, sessionAccount } from "../../../../../main/console/roles.ts";
import type { ConsoleApi, FileRequest, Intent, PlannedAction } from "../../../../../shared/api/index.ts";
import { confirmationOf, endOf } from "../../../../support/acting-page.ts";
import { html, json } from "../../../../support/bad-line.ts";
import { type ConsoleFixture, code, openConsoleOver, value } from "../../../../support/console-fixture.ts";
import type { Fault, ProxiedRequest } from "../../../../support/fault-proxy.ts";
import { openScriptedWorkspace, type ScriptedWorkspace } from "../../../../support/scripted-workspace.ts";

const SLOW = 180_000;
const PASSPHRASE = "seven words that only suzuki knows";
const CONSENT = { kind: "person", account: "suzuki", passphrase: PASSPHRASE } as const;
const KEYS = ["race", "lost", "page", "conflict", "disk", "filed", "gone", "end"] as const;
type Key = (typeof KEYS)[number];

let scripted: ScriptedWorkspace;
let opened: ConsoleFixture;
let api: ConsoleApi;
const runs = new Map<Key, string>();

/** Who may do what from now on. */
async function roles(approver: "approve" | "operate"): Promise<void> {
  const accounts = [
    { account: sessionAccount(), mode: "operate" },
    { account: "suzuki", mode: approver },
  ];
  const file = { kind: "FLOWNET_ROLES", formatVersion: 1, otherAccounts: "view", accounts };
  await writeFile(join(scripted.workspace.folders.root, "roles.json"), JSON.stringify(file));
}

beforeAll(async () => {
  scripted = await openScriptedWorkspace();
  const nodes = [{ id: "load", script: { ending: "ASSERT_VIOLATION" } }];
  const path = await scripted.network("open", nodes, { maxActiveRuns: KEYS.length });
  for (const businessKey of KEYS) {
    runs.set(businessKey, (await scripted.run(path, { businessKey })).runId ?? "");
  }
  await roles("approve");
  const { root } = scripted.workspace.folders;
  const approvers = createApprovers({
    file: openApproversFile(root),
    roles: async () => (await openRolesFile(root).read()).value,
    session: () => ({ account: "suzuki", mode: "approve", source: "roles" }),
    changed: async () => undefined,
    refused: () => undefined,
    nowMs: () => Date.now(),
  });
  value(await approvers.register("suzuki", PASSPHRASE));
  opened = await openConsoleOver(scripted.workspace);
  api = opened.api;
  value(await api.runs.refresh({}));
}, SLOW);
afterEach(() => scripted.proxy.clear());
afterAll(async () => {
  await opened.close();
  await scripted.dispose();
}, SLOW);

const close = (key: Key): Intent => ({
  kind: "close",
  runId: runs.get(key) ?? "",
  reason: "dropped for good, nobody needs it",
});
const planned = async (intent: Intent): Promise<PlannedAction> => value(await api.acting.plan({ intent }));
const lifecycle = async (key: Key): Promise<string | undefined> =>
  (await scripted.workspace.reads.readRunGraph(runs.get(key) ?? "")).run?.lifecycle;
const isWrite = ({ method, path }: ProxiedRequest): boolean =>
  method !== "GET" && /\/(records|record|bulkRequest)\.json$/.test(path);
const actionsFolder = (): string => join(scripted.workspace.folders.journal, "actions");

async function linesOf(operationId: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(actionsFolder())) {
    for (const row of (await readFile(join(actionsFolder(), name), "utf8")).split("\n")) {
      if (row.includes(operationId)) found.push(String(JSON.parse(row).step));
    }
  }
  return found;
}

describe("two confirmations at once (electron-desktop I5)", () => {
  it("of one subject under three ids: it is done once, whoever is told what", async () => {
    const intent = close("race");
    const plan = await planned(intent);
    const orders = [1, 2, 3].map(() => confirmationOf(intent, plan, { consent: CONSENT }));
    const answers = await Promise.all(orders.map((order) => api.acting.execute(order)));
    for (const answer of answers) expect([null, "OPERATION_UNDER_WAY", "PLAN_STALE"]).toContain(code(answer));
    const begun = answers.flatMap((answer) => (answer.ok ? [answer.value.operationId] : []));
    const ends = await Promise.all(begun.map((operationId) => endOf(api, operationId)));
    expect(ends.filter(({ resultCode }) => resultCode === "RUN_ARCHIVED")).toHaveLength(1);
    for (const { resultCode } of ends) {
      expect(["RUN_ARCHIVED", "RUN_ALREADY_ARCHIVED", "PLAN_STALE"]).toContain(resultCode);
    }
    const { entries } = value(await api.audit.list({ filter: {}, before: null, limit: 50 }));
    const audits = entries.filter(({ kind, runId }) => kind === "close" && runId === runs.get("race"));
    expect(audits).toHaveLength(1);
    for (const operationId of begun) expect(await linesOf(operationId)).toEqual(["accepted", "ended"]);
  });

  it("under an id that was used: a later kind of action neither runs nor hides the first", async () => {
    const { entries } = value(await api.audit.list({ filter: {}, before: null, limit: 50 }));
    const before = entries.find(({ detail }) => detail === "close");
    const { fields } = value(await api.audit.entry({ key: before?.key ?? "" }));
    const operationId = fields.find(({ name }) => name === "operationId")?.value ?? "";
    const answer = value(
      await api.acting.execute(
        confirmationOf(close("end"), await planned(close("end")), { operationId, consent: CONSENT }),
      ),
    );
    expect(answer.operationId).toBe(operationId);
    expect(await lifecycle("end")).toBe("ACTIVE");
    // Also a console that was started since knows it.
    const later = await openConsoleOver(scripted.workspace);
    try {
      value(await later.api.runs.refresh({}));
      const shown = value(await later.api.acting.plan({ intent: close("end") }));
      const again = confirmationOf(close("end"), shown, { operationId, consent: CONSENT });
      expect(value(await later.api.acting.execute(again)).operationId).toBe(operationId);
    } finally {
      await later.close();
    }
    expect(await lifecycle("end")).toBe("ACTIVE");
    expect(await linesOf(operationId)).toEqual(["accepted", "ended"]);
  });
});

describe("a kintone that fails during an action (fenced-writes R1, operator-ux D8)", () => {
  it.each<[string, Key, Fault, number, readonly string[], string]>([
    ["the answer is lost after the commit", "lost", { kind: "lose-answer" }, 1, ["done"], "ARCHIVED"],
    [
      "a gateway answers pages only",
      "page",
      { kind: "answer", status: 502, body: html, type: "text/html" },
      1_000,
      ["uncertain", "refused"],
      "ACTIVE",
    ],
    [
      "somebody was quicker each time",
      "conflict",
      { kind: "answer", status: 409, body: json("GAIA_CO02") },
      1_000,
      ["refused", "uncertain"],
      "ACTIVE",
    ],
  ])(
    "%s: the operation ends, says what is known, and is written down",
    async (_, key, fault, count, states, left) => {
      const intent = close(key);
      const order = confirmationOf(intent, await planned(intent), { consent: CONSENT });
      scripted.proxy.on(isWrite, fault, count);
      value(await api.acting.execute(order));
      const operation = await endOf(api, order.operationId);
      scripted.proxy.clear();
      expect(states).toContain(operation.state);
      if (operation.state !== "done") expect(operation.problem?.code).toMatch(/^[A-Z_]+$/);
      expect(JSON.stringify(operation)).not.toContain("<html>");
      expect(await lifecycle(key)).toBe(left);
      expect(await linesOf(order.operationId)).toEqual(["accepted", "ended"]);
    },
    SLOW,
  );
});

describe("an action journal that takes no line (operator-ux §2.5)", () => {
  it("keeps anything from being done, and is whole once it takes lines again", async () => {
    const folder = actionsFolder();
    await rename(folder, `${folder}.away`);
    await writeFile(folder, "no folder");
    const intent = close("disk");
    const order = confirmationOf(intent, await planned(intent), { consent: CONSENT });
    const answer = await api.acting.execute(order);
    expect(code(answer)).toMatch(/^ACTION_JOURNAL_(FAILED|UNREADABLE)$/);
    expect(await lifecycle("disk")).toBe("ACTIVE");
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect(value(await api.audit.chain({})).state).toBe("sound");
  });
});

describe("a request that was filed for consent (operator-ux §2.4)", () => {
  const file = async (key: Key): Promise<FileRequest> => {
    const intent = close(key);
    const { plan, friction } = await planned(intent);
    const { seen, fingerprint } = plan;
    const wish = { requestId: randomUUID(), intent, seen: { ...seen }, fingerprint };
    const filed = { ...wish, typed: friction.identifier ?? "" };
    value(await api.approvals.file(filed));
    return filed;
  };
  const approval = { account: "suzuki", passphrase: PASSPHRASE } as const;

  it("is carried out once when it is approved twice at once, and both are told the same", async () => {
    const { requestId } = await file("filed");
    const operationId = randomUUID();
    const answers = await Promise.all([
      api.approvals.approve({ requestId, operationId, ...approval }),
      api.approvals.approve({ requestId, operationId, ...approval }),
    ]);
    expect(value(answers[1])).toEqual(value(answers[0]));
    const other = await api.approvals.approve({ requestId, operationId: randomUUID(), ...approval });
    expect(code(other)).toBe("CONSENT_REQUEST_GONE");
    expect(await endOf(api, operationId)).toMatchObject({ state: "done", consent: { account: "suzuki" } });
    expect(await linesOf(operationId)).toEqual(["accepted", "ended"]);
  });

  it("is not carried out by whoever filed it, nor by an approver who is none any more, nor in the mode for looking", async () => {
    const { requestId } = await file("gone");
    const ask = (account: string) =>
      api.approvals.approve({ requestId, operationId: randomUUID(), account, passphrase: PASSPHRASE });
    const me = sessionAccount();
    for (const account of [me, me.toUpperCase(), `SITE\\${me}`, `${me}@site.example`, ` ${me}\u200b`]) {
      expect(code(await ask(account))).toBe("SELF_APPROVAL");
    }
    await roles("operate");
    expect(code(await ask("suzuki"))).toBe("CONSENT_REFUSED");
    await roles("approve");
    value(await api.workspace.setMode({ mode: "view" }));
    expect(code(await ask("suzuki"))).toBe("MODE_VIEW_ONLY");
    value(await api.workspace.setMode({ mode: "operate" }));
    expect(await lifecycle("gone")).toBe("ACTIVE");
    expect(value(await api.approvals.list({})).requests.map((each) => each.requestId)).toEqual([requestId]);
    value(await api.approvals.withdraw({ requestId }));
    expect(code(await ask("suzuki"))).toBe("CONSENT_REQUEST_GONE");
  });
});

describe("a mode that changes under a confirmation (decisions §5)", () => {
  it("is asked again at the last moment", async () => {
    const intent = close("end");
    const order = confirmationOf(intent, await planned(intent), { consent: CONSENT });
    // The passphrase alone takes a tenth of a second: the mode changes while it is looked at.
    const [answer] = await Promise.all([api.acting.execute(order), api.workspace.setMode({ mode: "view" })]);
    expect(code(answer)).toBe("MODE_VIEW_ONLY");
    expect(await lifecycle("end")).toBe("ACTIVE");
    value(await api.workspace.setMode({ mode: "operate" }));
  });
});

describe("a console that is closed during a confirmation", () => {
  it("either ends what it began or begins nothing", async () => {
    const closing = await openConsoleOver(scripted.workspace);
    value(await closing.api.runs.refresh({}));
    const intent = close("end");
    const shown = value(await closing.api.acting.plan({ intent }));
    const order = confirmationOf(intent, shown, { consent: CONSENT });
    const answer = closing.api.acting.execute(order).catch(() => null);
    await closing.host.dispose();
    const told = await answer;
    await closing.close();
    const lines = await linesOf(order.operationId);
    if (told?.ok === true) expect(lines).toEqual(["accepted", "ended"]);
    else expect([lines, await lifecycle("end")]).toEqual([[], "ACTIVE"]);
  });
});
