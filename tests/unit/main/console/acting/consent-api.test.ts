import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sessionAccount } from "../../../../../main/console/roles.ts";
import type { ConsoleApi, Intent } from "../../../../../shared/api/index.ts";
import {
  type ActingConsole,
  closeOf,
  openActingConsole,
  PASSPHRASE,
  registerPassphrase,
} from "../../../../support/acting-console.ts";
import { acted, confirmed, endOf } from "../../../../support/acting-page.ts";
import { code, value } from "../../../../support/console-fixture.ts";

const SLOW = 120_000;

let opened: ActingConsole;
let api: ConsoleApi;

beforeAll(async () => {
  opened = await openActingConsole({ failed: ["night", "second", "third", "fourth"], killed: false });
  api = opened.api;
}, SLOW);
afterAll(() => opened.close(), SLOW);

const runId = (key: string): string => opened.runId(key);
const close = (key: string, reason?: string): Intent => closeOf(runId(key), reason);

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
    expect(JSON.stringify([operation, await opened.journalOf(operation.operationId)])).not.toContain(
      PASSPHRASE,
    );
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
    const [accepted] = await opened.journalOf(consent.operationId);
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
    const [accepted] = await opened.journalOf(operationId);
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
    await registerPassphrase(opened.workspace.folders.root, "bob", "bob");
    expect(value(await api.approvals.review(review)).actions).toEqual([]);
  });
});
