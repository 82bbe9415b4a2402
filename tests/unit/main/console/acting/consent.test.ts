import { describe, expect, it } from "vitest";
import { checkConsent } from "../../../../../main/console/acting/consent.ts";
import { frictionOf } from "../../../../../main/console/acting/friction.ts";
import { breakGlassSentence, isBreakGlassSentence } from "../../../../../main/console/acting/sentence.ts";
import type { Intent } from "../../../../../shared/api/index.ts";
import { needed, type OperationPlan } from "../../../../../shared/domain/operations/index.ts";
import { ok } from "../../../../../shared/domain/problem.ts";
import { code } from "../../../../support/console-fixture.ts";
import { close, force, plan, resolve } from "./samples.ts";

describe("friction by danger (operator-ux §2.1)", () => {
  it.each<[string, Intent, OperationPlan, object]>([
    [
      "L1 asks for nothing",
      { kind: "requestCancel", requestId: "3" },
      plan("REQUEST_CANCEL", "L1"),
      { identifier: null, armMs: 0, secondPerson: false, breakGlassSentence: null },
    ],
    [
      "L2 asks for its reason alone",
      { kind: "stop", runId: "netrun_1", reason: "" },
      plan("STOP", "L2"),
      { identifier: null, armMs: 0, secondPerson: false, breakGlassSentence: null },
    ],
    [
      "L3 asks for the identifier",
      { kind: "rerun", runId: "netrun_1", fromNode: "load", reason: "" },
      plan("RERUN_FROM", "L3"),
      { identifier: "2026-09-05", armMs: 3_000, secondPerson: false, breakGlassSentence: null },
    ],
    [
      "L3 of a record with an approver asks for one, and takes no sentence",
      resolve(),
      plan("RESOLVE_NODE", "L3", { evidence: needed("approvedBy") }),
      { identifier: "2026-09-05/load", armMs: 3_000, secondPerson: true, breakGlassSentence: null },
    ],
    [
      "L4 asks for all of it",
      force(),
      plan("FORCE_UNLOCK", "L4"),
      {
        identifier: "789abc41f".slice(-8),
        armMs: 3_000,
        secondPerson: true,
        breakGlassSentence: {
          ja: "承認者の同意なしに 89abc41f を一人で行い、後の確認を受けます",
          en: "I do this to 89abc41f alone, without an approver, and will have it reviewed",
        },
      },
    ],
  ])("%s", (_, intent, made, wanted) => {
    expect(frictionOf(intent, made)).toEqual(wanted);
  });
});

describe("the second person (operator-ux §2.4)", () => {
  const made = plan("CLOSE", "L4");
  const friction = frictionOf(close, made);
  const asked: string[][] = [];
  const prove = async (account: string, _: string, requesters: readonly string[]) => {
    asked.push([account, ...requesters]);
    return ok({ account, passphraseBy: account === "bob" ? "tanaka" : null });
  };
  const consent = (given: Parameters<typeof checkConsent>[2], intent: Intent = close) =>
    checkConsent(intent, { plan: made, friction }, given, ["tanaka", "app"], prove);

  it("is asked for only where the plan asks for it", async () => {
    const light = { plan: plan("STOP", "L2"), friction: { ...friction, secondPerson: false } };
    const given = await checkConsent(close, light, { kind: "none" }, ["tanaka"], prove);
    expect(given).toEqual({ ok: true, value: { kind: "none", account: null } });
    expect(code(await consent({ kind: "none" }))).toBe("CONSENT_REQUIRED");
  });

  it("is proven against everybody who acts", async () => {
    expect(await consent({ kind: "person", account: "suzuki", passphrase: "p" })).toEqual({
      ok: true,
      value: { kind: "person", account: "suzuki" },
    });
    expect(asked.at(-1)).toEqual(["suzuki", "tanaka", "app"]);
  });

  it("is taken, and told apart, with a passphrase the one who acts had set", async () => {
    expect(await consent({ kind: "person", account: "bob", passphrase: "p" })).toEqual({
      ok: true,
      value: { kind: "person", account: "bob", passphraseBy: "tanaka" },
    });
  });

  it.each(["ja", "en"] as const)(
    "may be replaced by the sentence in %s, word by word, with proof",
    async (language) => {
      const sentence = breakGlassSentence(close, made)[language];
      const long: Intent = { ...close, reason: "nobody else is here tonight, dropped for good" };
      expect((await consent({ kind: "breakGlass", sentence }, long)).ok).toBe(true);
      expect(code(await consent({ kind: "breakGlass", sentence }))).toBe("BREAK_GLASS_EVIDENCE_REQUIRED");
      const unseen: Intent = { ...close, reason: "\u200b".repeat(30) };
      expect(code(await consent({ kind: "breakGlass", sentence }, unseen))).toBe(
        "BREAK_GLASS_EVIDENCE_REQUIRED",
      );
      expect(isBreakGlassSentence(`${sentence}.`, close, made)).toBe(false);
      expect(isBreakGlassSentence(sentence.normalize("NFD"), close, made)).toBe(true);
      expect(sentence).toContain("2026-09-05");
    },
  );
});
