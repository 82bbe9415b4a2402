import { describe, expect, it } from "vitest";
import { setByNote, whyReviewed } from "../../../renderer/approvals/why-reviewed.ts";
import { createTexts } from "../../../renderer/text/i18n.ts";

const AT = "2026-09-05T03:00:00.000Z";
const t = { ja: (await createTexts("ja")).t, en: (await createTexts("en")).t };

describe("why an approver has to look at it (operator-ux §2.4)", () => {
  it("is that nobody consented, or that the one who acted had set the passphrase", () => {
    const alone = { kind: "breakGlass", account: null } as const;
    expect(whyReviewed(alone, t.ja)).toBe("承認者なしで行われました。");
    const own = { kind: "person", account: "bob", passphraseBy: "root" } as const;
    expect(whyReviewed(own, t.ja)).toContain(
      "承認者のパスフレーズは、操作した本人のアカウント(root)が登録したものです",
    );
    expect(whyReviewed(own, t.ja)).toContain("bob");
    expect(whyReviewed(own, t.en)).toContain("was set by the account that acted (root)");
  });
});

describe("who set the passphrase of an approver (decisions §5)", () => {
  it.each<[string, string | null, string | null, string | null]>([
    ["none is registered", null, null, null],
    ["the approver did", AT, "SUZUKI", null],
    ["another account did", AT, "root", "登録: root"],
    ["an earlier version kept nothing", AT, null, "登録した人の記録なし"],
  ])("where %s", (_, registeredAt, setBy, note) => {
    const approver = { account: "suzuki", registeredAt, setBy, mayChange: true };
    expect(setByNote(approver, t.ja)).toBe(note);
  });
});
