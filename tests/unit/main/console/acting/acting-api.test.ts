import { randomUUID } from "node:crypto";
import { appendFile, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActionJournal } from "../../../../../main/console/acting/journal/index.ts";
import { createApprovers, openApproversFile } from "../../../../../main/console/acting/people/approvers.ts";
import type { OpenedWorkspace } from "../../../../../main/console/index.ts";
import { openRolesFile, sessionAccount } from "../../../../../main/console/roles.ts";
import type { ConsoleApi, Intent } from "../../../../../shared/api/index.ts";
import { acted, confirmationOf, confirmed, endOf } from "../../../../support/acting-page.ts";
import {
  code,
  type EmbeddedConsole,
  openConsole,
  openConsoleOver,
  value,
} from "../../../../support/console-fixture.ts";
import { KILLED_NETWORK, killRun } from "../../../../support/killed-run.ts";

const WHO = { account: "tanaka", requestedBy: "tanaka", servicePrincipal: "H", host: "H", version: "0" };
const SLOW = 120_000;
const PASSPHRASE = "seven words that only suzuki knows";
const NETWORK = "gate_only";

let opened: EmbeddedConsole;
let api: ConsoleApi;
const runs = new Map<string, string>();

/** A network of one node that fails, of which many Runs may be open. */
async function failingNetwork({ networks, folders }: OpenedWorkspace): Promise<string> {
  const sample = networks.find(({ networkId }) => networkId === "failing_assert")?.definitionPath ?? "";
  const home = join(folders.root, NETWORK);
  const definitionPath = join(home, "network.yaml");
  await mkdir(home);
  await copyFile(join(dirname(sample), "jobs", "amount_gate.sql"), join(home, "gate.sql"));
  const lines = [
    "schema_version: 1",
    `network_id: ${NETWORK}`,
    "business_key_policy:",
    "  type: explicit",
    "max_active_runs: 9",
    "network_lock:",
    "  lease_duration_sec: 180",
    "  heartbeat_interval_sec: 60",
    "nodes:",
    "  - id: gate",
    "    job_id: amount_gate",
    "    sql: gate.sql",
    "    depends_on: []",
    "    trigger_rule: all_success",
    "    idempotent: true",
  ];
  await writeFile(definitionPath, `${lines.join("\n")}\n`);
  const entry = `  - network_id: ${NETWORK}\n    definition_path: ${JSON.stringify(definitionPath)}\n    app_start: true\n`;
  await appendFile(folders.allowListFile, entry);
  return definitionPath;
}

beforeAll(async () => {
  opened = await openConsole({
    async prepare(workspace) {
      const { orchestrator, folders } = workspace;
      const definitionPath = await failingNetwork(workspace);
      for (const businessKey of ["night", "second", "third", "fourth"]) {
        const run = await orchestrator.runNetwork({ definitionPath, businessKey, requestedBy: "prepare" });
        runs.set(businessKey, run.runId ?? "");
      }
      await killRun(folders.root, "killed");
      const killed = (await workspace.reads.listAllRuns()).find(
        ({ networkId }) => networkId === KILLED_NETWORK,
      );
      runs.set("killed", killed?.runId ?? "");
      await writeFile(
        join(folders.root, "roles.json"),
        JSON.stringify({
          kind: "FLOWNET_ROLES",
          formatVersion: 1,
          otherAccounts: "view",
          accounts: [
            { account: sessionAccount(), mode: "operate" },
            { account: "suzuki", mode: "approve" },
            { account: "bob", mode: "approve" },
          ],
        }),
      );
      await register(folders.root, "suzuki", "suzuki");
      // As an approver, or an operator before there were any, could: for an account nobody else has to have.
      await register(folders.root, sessionAccount(), "bob");
    },
  });
  api = opened.api;
  value(await api.runs.refresh({}));
}, SLOW);

afterAll(() => opened.close(), SLOW);

/** Registers {@link PASSPHRASE} from a session of `setBy`. */
async function register(folder: string, setBy: string, account: string): Promise<void> {
  const approvers = createApprovers({
    file: openApproversFile(folder),
    roles: async () => (await openRolesFile(folder).read()).value,
    session: () => ({ account: setBy, mode: "approve", source: "roles" }),
    changed: async () => undefined,
    refused: () => undefined,
    nowMs: () => Date.now(),
  });
  value(await approvers.register(account, PASSPHRASE));
}

const runId = (key: string): string => runs.get(key) ?? "";
const stop = (key: string, reason = "look at the data first"): Intent => ({
  kind: "stop",
  runId: runId(key),
  reason,
});
const release = (key: string): Intent => ({ kind: "release", runId: runId(key), reason: "seen, go on" });
const close = (key: string, reason = "not needed any more"): Intent => ({
  kind: "close",
  runId: runId(key),
  reason,
});

interface Line {
  readonly step: string;
  readonly operationId: string;
}
async function journalOf(operationId: string): Promise<readonly Line[]> {
  const month = `actions-${new Date().toISOString().slice(0, 7)}.jsonl`;
  const text = await readFile(join(opened.dataDir, "journal", "actions", month), "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.operationId === operationId);
}

describe("a plan over the API (operator-ux D6, D13)", () => {
  it("tells what would happen and what it asks for, and writes nothing", async () => {
    const records = () => opened.workspace.reads.readRunGraph(runId("killed"));
    const before = await records();
    const { plan, friction } = value(await api.acting.plan({ intent: stop("killed", "") }));
    expect(plan).toMatchObject({ operation: "STOP", available: true, danger: "L2" });
    expect(plan.writes).toHaveLength(1);
    expect(friction).toEqual({ identifier: null, armMs: 0, secondPerson: false, breakGlassSentence: null });
    expect(await records()).toEqual(before);
  });

  it("asks for more the graver it is", async () => {
    const { plan, friction } = value(await api.acting.plan({ intent: close("night") }));
    expect(plan.danger).toBe("L4");
    expect(friction).toMatchObject({ identifier: "night", armMs: 3_000, secondPerson: true });
    expect(friction.breakGlassSentence?.ja).toContain("night");
  });

  it("of a Run nobody knows is a problem, not an error", async () => {
    const intent: Intent = { kind: "resume", runId: "netrun_nobody", reason: "" };
    expect(code(await api.acting.plan({ intent }))).toBe("RUN_NOT_FOUND");
  });
});

describe("a confirmation over the API (architecture §4, a click)", () => {
  it("without a plan that was shown is refused, however well it is made up", async () => {
    const shown = value(await api.acting.plan({ intent: stop("killed") }));
    const other = confirmationOf(release("killed"), shown);
    expect(code(await api.acting.execute(other))).toBe("PLAN_NOT_SHOWN");
    const madeUp = confirmationOf(stop("killed"), shown, { seen: {}, fingerprint: "0123456789abcdef" });
    expect(code(await api.acting.execute(madeUp))).toBe("PLAN_NOT_SHOWN");
  });

  it("without a reason names the field", async () => {
    expect(await confirmed(api, stop("killed", " abc "))).toMatchObject({
      ok: false,
      error: { code: "REASON_TOO_SHORT", place: "reason" },
    });
  });

  it(
    "is carried out once, however often it comes, and is written down before and after",
    async () => {
      const planned = value(await api.acting.plan({ intent: stop("killed") }));
      const order = confirmationOf(stop("killed"), planned);
      const answers = await Promise.all([api.acting.execute(order), api.acting.execute(order)]);
      expect(value(answers[1])).toEqual(value(answers[0]));
      const operation = await endOf(api, order.operationId);
      expect(operation).toMatchObject({
        kind: "stop",
        state: "done",
        networkId: KILLED_NETWORK,
        businessKey: "killed",
        runId: runId("killed"),
        reason: "look at the data first",
        consent: { kind: "none", account: null },
        detail: { changed: true },
        problem: null,
      });
      expect(value(await api.acting.execute(order)).acceptedAt).toBe(operation.acceptedAt);
      const lines = await journalOf(order.operationId);
      expect(lines.map(({ step }) => step)).toEqual(["accepted", "ended"]);
      expect(lines[0]).toMatchObject({
        who: { account: sessionAccount(), host: opened.workspace.host, pid: process.pid },
        operation: "STOP",
        reason: "look at the data first",
        fingerprint: planned.plan.fingerprint,
      });
      expect(lines[1]).toMatchObject({ state: "done", recovered: false });
    },
    SLOW,
  );

  it("left open by an earlier start of the console is uncertain, and told to whoever asks", async () => {
    const operationId = randomUUID();
    const journal = createActionJournal({
      folder: join(opened.dataDir, "journal", "actions"),
      who: { ...WHO, pid: process.pid + 1 },
      nowMs: () => Date.now(),
    });
    const { plan } = value(await api.acting.plan({ intent: stop("killed") }));
    const { seen, fingerprint, subject } = plan;
    await journal.append({
      step: "accepted",
      ...{ operationId, action: "stop", operation: "STOP", subject, arguments: {}, seen: { ...seen } },
      ...{ reason: "before the crash", evidence: [], fingerprint, planAgeMs: 10, probes: [] },
      ...{ consent: { kind: "none", account: null }, filed: null },
    });
    const later = await openConsoleOver(opened.workspace);
    const found = value(await later.api.operations.get({ operationId }));
    expect(found).toMatchObject({
      kind: "stop",
      state: "uncertain",
      problem: { code: "OPERATION_END_UNKNOWN" },
    });
    await later.close();
    expect((await journalOf(operationId)).map(({ step }) => step)).toEqual(["accepted", "ended"]);
  });

  it("on a world that moved is refused and says what moved", async () => {
    const planned = value(await api.acting.plan({ intent: release("killed") }));
    const { requestedBy } = opened.workspace;
    const wish = { runId: runId("killed"), reason: "another shift", requestedBy, seen: null };
    expect((await opened.workspace.recovery.cancelRun({ ...wish, release: true })).ok).toBe(true);
    const answer = await api.acting.execute(confirmationOf(release("killed"), planned));
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "PLAN_STALE", details: { moved: [{ name: "hold" }] } },
    });
  });

  it("of what is refused anyway tells why, with the code of the execution", async () => {
    const intent: Intent = { kind: "resume", runId: runId("killed"), reason: "try it again" };
    expect(code(await api.acting.plan({ intent }))).toBe("NETWORK_NOT_ALLOWED");
    expect(code(await confirmed(api, stop("night")))).toBe("RUN_ALREADY_TERMINAL");
  });

  it(
    "resumes a Run, and runs one again from a node",
    async () => {
      const again = await acted(api, {
        kind: "resume",
        runId: runId("night"),
        reason: "the data is there now",
      });
      expect(again).toMatchObject({
        kind: "resume",
        state: "done",
        outcome: "RESUME",
        aggregateStatus: "FAILED",
      });
      const { nodes } = value(await api.runs.detail({ runId: runId("night") }));
      const intent: Intent = {
        kind: "rerun",
        runId: runId("night"),
        fromNode: nodes[0]?.nodeId ?? "",
        reason: "from the beginning",
      };
      const { plan } = value(await api.acting.plan({ intent }));
      expect(plan.operation).toBe("RERUN_FROM");
      expect(await acted(api, intent)).toMatchObject({
        kind: "rerun",
        state: "done",
        aggregateStatus: "FAILED",
      });
      expect(value(await api.runs.detail({ runId: runId("night") })).invocations).toHaveLength(3);
    },
    SLOW,
  );

  it("in the mode for looking changes nothing", async () => {
    const planned = value(await api.acting.plan({ intent: stop("killed") }));
    value(await api.workspace.setMode({ mode: "view" }));
    try {
      expect(code(await api.acting.execute(confirmationOf(stop("killed"), planned)))).toBe("MODE_VIEW_ONLY");
      const part = { uploadId: randomUUID(), index: 0, last: true, name: "a.txt", base64: "aGk=" };
      expect(code(await api.evidence.keep(part))).toBe("MODE_VIEW_ONLY");
      expect(code(await api.approvals.remove({ account: "suzuki" }))).toBe("MODE_VIEW_ONLY");
    } finally {
      value(await api.workspace.setMode({ mode: "operate" }));
    }
  });
});

describe("requests for the poller over the API (orchestration §7)", () => {
  it("are written, and taken back before somebody claims them", async () => {
    const ask: Intent = {
      kind: "request",
      type: "RERUN",
      runId: runId("night"),
      networkId: "",
      businessKey: "",
      scheduledFor: "",
      rerunFromNode: "",
      reason: "please run it again",
    };
    const asked = await acted(api, ask);
    expect(asked).toMatchObject({ kind: "request", state: "done" });
    const requestId = asked.requestId ?? "";
    expect(requestId).toMatch(/^\d+$/);
    const taken = await acted(api, { kind: "requestCancel", requestId });
    expect(taken).toMatchObject({ kind: "requestCancel", state: "done", requestId });
    expect(code(await confirmed(api, { kind: "requestCancel", requestId }))).toBe("CANCEL_ALREADY_REQUESTED");
  });
});

describe("a close over the API: identifier and second person (operator-ux §2.4, D4, D5)", () => {
  it.each([
    ["another text", "nigt", false],
    ["full-width look-alikes", "ｓｅｃｏｎｄ", true],
    ["nothing", "", false],
  ])("is refused for %s in the place of the identifier", async (_, typed, lookalike) => {
    expect(await confirmed(api, close("second"), { typed })).toMatchObject({
      ok: false,
      error: { code: "IDENTIFIER_MISMATCH", place: "typed", details: { lookalike } },
    });
  });

  it("is refused without consent, and with one that proves nothing", async () => {
    expect(code(await confirmed(api, close("second")))).toBe("CONSENT_REQUIRED");
    const wrong = { kind: "person", account: "suzuki", passphrase: "some other words" } as const;
    expect(code(await confirmed(api, close("second"), { consent: wrong }))).toBe("CONSENT_REFUSED");
    const self = { kind: "person", account: sessionAccount(), passphrase: PASSPHRASE } as const;
    expect(code(await confirmed(api, close("second"), { consent: self }))).toBe("SELF_APPROVAL");
    expect(value(await api.runs.detail({ runId: runId("second") })).run.lifecycle).toBe("ACTIVE");
  });

  it("is carried out with the consent of an approver, whose passphrase stands nowhere", async () => {
    const consent = { kind: "person", account: "SUZUKI", passphrase: PASSPHRASE } as const;
    const operation = await acted(api, close("second"), { consent });
    expect(operation).toMatchObject({
      state: "done",
      resultCode: "RUN_ARCHIVED",
      consent: { kind: "person", account: "suzuki" },
      detail: { audit: "RECORDED", lockReleased: true },
    });
    expect(JSON.stringify([operation, await journalOf(operation.operationId)])).not.toContain(PASSPHRASE);
    expect(code(await confirmed(api, close("second"), { consent }))).toBe("RUN_ALREADY_ARCHIVED");
  });

  it("adds the audit a close left out, under the reported id and at the reported time alone (wire-format §5)", async () => {
    const intent: Intent = {
      kind: "completeAudit",
      runId: runId("second"),
      reason: "the audit was refused",
      eventId: "",
      archivedAt: "2026-09-02T03:12:00.000Z",
      previousStatus: "FAILED",
      runRevisionBefore: 1,
    };
    expect(await confirmed(api, intent)).toMatchObject({
      ok: false,
      error: { code: "AUDIT_FACT_REQUIRED", place: "eventId" },
    });
    const eventId = `archive_${randomUUID()}`;
    for (const archivedAt of ["last night", "2026-09-02T12:12:00+09:00", "2026-02-30T03:12:00.000Z"]) {
      expect(code(await confirmed(api, { ...intent, eventId, archivedAt }))).toBe("AUDIT_TIME_NOT_UTC");
    }
    expect(await acted(api, { ...intent, eventId })).toMatchObject({ state: "done", detail: { eventId } });
  });

  it("is filed for consent, planned anew at the approval, and carried out once", async () => {
    const intent = close("third");
    const { plan, friction } = value(await api.acting.plan({ intent }));
    const { seen, fingerprint } = { ...plan, seen: { ...plan.seen } };
    const requestId = randomUUID();
    const filing = { requestId, intent, seen, fingerprint, typed: friction.identifier ?? "" };
    expect(code(await api.approvals.file({ ...filing, typed: "thrid" }))).toBe("IDENTIFIER_MISMATCH");
    value(await api.approvals.file(filing));
    const { requests } = value(await api.approvals.list({}));
    expect(requests).toMatchObject([{ requestId, filedBy: sessionAccount(), plan: { fingerprint } }]);

    const consent = { requestId, operationId: randomUUID(), account: "suzuki", passphrase: PASSPHRASE };
    expect(code(await api.approvals.approve({ ...consent, passphrase: "wrong words" }))).toBe(
      "CONSENT_REFUSED",
    );
    const resume: Intent = { kind: "resume", runId: runId("third"), reason: "once more before that" };
    expect((await acted(api, resume)).state).toBe("done");
    expect(code(await api.approvals.approve(consent))).toBe("PLAN_STALE");
    value(await api.approvals.withdraw({ requestId }));

    const again = value(await api.acting.plan({ intent }));
    const second = { ...filing, requestId: randomUUID(), fingerprint: again.plan.fingerprint };
    value(await api.approvals.file({ ...second, seen: { ...again.plan.seen } }));
    const approved = { ...consent, requestId: second.requestId };
    const answers = await Promise.all([api.approvals.approve(approved), api.approvals.approve(approved)]);
    expect(answers.some(({ ok }) => ok)).toBe(true);
    const operation = await endOf(api, consent.operationId);
    expect(operation).toMatchObject({ kind: "close", state: "done", consent: { account: "suzuki" } });
    const [accepted] = await journalOf(consent.operationId);
    expect(accepted).toMatchObject({ filed: { by: sessionAccount(), host: opened.workspace.host } });
    expect(code(await api.approvals.withdraw({ requestId: second.requestId }))).toBe("CONSENT_REQUEST_GONE");
  });

  it("of one person alone asks for the sentence and a reason that carries it, and waits for its review", async () => {
    const intent = close("night", "nobody else is on shift tonight, the period was dropped");
    const { friction } = value(await api.acting.plan({ intent }));
    const sentence = friction.breakGlassSentence?.en ?? "";
    const alone = (text: string) => ({ consent: { kind: "breakGlass", sentence: text } as const });
    expect(code(await confirmed(api, intent, alone(sentence.slice(1))))).toBe(
      "BREAK_GLASS_SENTENCE_MISMATCH",
    );
    expect(code(await confirmed(api, close("night", "too short"), alone(sentence)))).toBe(
      "BREAK_GLASS_EVIDENCE_REQUIRED",
    );
    const operation = await acted(api, intent, alone(sentence));
    expect(operation).toMatchObject({ state: "done", consent: { kind: "breakGlass", account: null } });

    const { actions } = value(await api.approvals.listBreakGlass({}));
    const { operationId } = operation;
    expect(actions).toMatchObject([{ operationId, kind: "close", businessKey: "night", state: "done" }]);
    const note = "seen with the shift book";
    const byHimself = { operationId, account: sessionAccount(), passphrase: PASSPHRASE, note };
    expect(code(await api.approvals.review(byHimself))).toBe("SELF_APPROVAL");
    const reviewed = value(await api.approvals.review({ ...byHimself, account: "suzuki" }));
    expect(reviewed.actions).toEqual([]);
    expect(code(await api.approvals.review({ ...byHimself, account: "suzuki" }))).toBe("REVIEW_NOT_DUE");
  });

  it("with a passphrase the acting account had set is no second person's, and no review either", async () => {
    const setter = sessionAccount();
    const { approvers } = value(await api.approvals.approvers({}));
    expect(approvers.map(({ account, setBy }) => [account, setBy])).toEqual([
      ["suzuki", "suzuki"],
      ["bob", setter],
    ]);
    const given = { kind: "person", account: "bob", passphraseBy: setter } as const;
    const consent = { kind: "person", account: "bob", passphrase: PASSPHRASE } as const;
    const { operationId, ...operation } = await acted(api, close("fourth"), { consent });
    expect(operation).toMatchObject({ state: "done", consent: given });
    const [accepted] = await journalOf(operationId);
    expect(accepted).toMatchObject({ step: "accepted", consent: given });
    const { entries } = value(await api.audit.list({ filter: { kind: "action" }, before: null, limit: 1 }));
    const { fields } = value(await api.audit.entry({ key: entries[0]?.key ?? "" }));
    expect(fields).toContainEqual({ name: "consent.approverSetBy", value: setter });

    const { actions } = value(await api.approvals.listBreakGlass({}));
    expect(actions).toMatchObject([{ operationId, businessKey: "fourth", consent: given }]);
    const review = { operationId, account: "bob", passphrase: PASSPHRASE, note: "seen" };
    expect(code(await api.approvals.review(review))).toBe("REVIEW_NOT_INDEPENDENT");
    expect(value(await api.approvals.listBreakGlass({})).actions).toHaveLength(1);
    // The same approver, once the passphrase is of the own account: a person who was not the one who acted.
    await register(opened.workspace.folders.root, "bob", "bob");
    expect(value(await api.approvals.review(review)).actions).toEqual([]);
  });
});
