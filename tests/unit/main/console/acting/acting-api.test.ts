import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActionJournal } from "../../../../../main/console/acting/journal/index.ts";
import { sessionAccount } from "../../../../../main/console/roles.ts";
import type { ConsoleApi, Intent } from "../../../../../shared/api/index.ts";
import { type ActingConsole, closeOf, openActingConsole } from "../../../../support/acting-console.ts";
import { acted, confirmationOf, confirmed, endOf } from "../../../../support/acting-page.ts";
import { code, openConsoleOver, value } from "../../../../support/console-fixture.ts";
import { KILLED_NETWORK } from "../../../../support/killed-run.ts";

const WHO = { account: "tanaka", requestedBy: "tanaka", servicePrincipal: "H", host: "H", version: "0" };
const SLOW = 120_000;

let opened: ActingConsole;
let api: ConsoleApi;

beforeAll(async () => {
  opened = await openActingConsole({ failed: ["night"], killed: true });
  api = opened.api;
}, SLOW);
afterAll(() => opened.close(), SLOW);

const runId = (key: string): string => opened.runId(key);
const stop = (key: string, reason = "look at the data first"): Intent => ({
  kind: "stop",
  runId: runId(key),
  reason,
});
const release = (key: string): Intent => ({ kind: "release", runId: runId(key), reason: "seen, go on" });

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
    const { plan, friction } = value(await api.acting.plan({ intent: closeOf(runId("night")) }));
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
      const lines = await opened.journalOf(order.operationId);
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
    expect((await opened.journalOf(operationId)).map(({ step }) => step)).toEqual(["accepted", "ended"]);
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
