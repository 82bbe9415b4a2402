import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApprovers, openApproversFile } from "../../../../../main/console/acting/people/approvers.ts";
import { createGuessLimit } from "../../../../../main/console/acting/people/guess-limit.ts";
import { passphraseOfRequester } from "../../../../../main/console/acting/people/independence.ts";
import { sameAccount } from "../../../../../main/console/acting/people/same-account.ts";
import { type Mode, needsReview, type RolesFile, setByAnother } from "../../../../../shared/api/index.ts";
import { code, value } from "../../../../support/console-fixture.ts";

const PASSPHRASE = "かぎ の ことば 三つめ";
const ROLES: RolesFile = {
  kind: "FLOWNET_ROLES",
  formatVersion: 1,
  otherAccounts: "view",
  accounts: [
    { account: "tanaka", mode: "operate" },
    { account: "SITE\\sato", mode: "approve" },
    { account: "suzuki", mode: "approve" },
  ],
};

let folder: string;
let now: number;
let changes: string[];
let refusals: string[];
let roles: RolesFile | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-people-"));
  now = Date.parse("2026-09-05T03:00:00Z");
  changes = [];
  refusals = [];
  roles = ROLES;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const approversAs = (account: string, mode: Mode) =>
  createApprovers({
    file: openApproversFile(folder),
    roles: async () => roles,
    session: () => ({ account, mode, source: "roles" }),
    changed: async (change, whose) => void changes.push(`${change} ${whose}`),
    refused: (problem) => void refusals.push(JSON.stringify(problem)),
    nowMs: () => now,
  });

describe("approvers (decisions §5)", () => {
  it("are listed by their role, and may set a passphrase of their own", async () => {
    const sato = approversAs("sato", "operate");
    expect(await sato.view()).toEqual({
      account: "sato",
      approvers: [
        { account: "SITE\\sato", registeredAt: null, setBy: null, mayChange: true },
        { account: "suzuki", registeredAt: null, setBy: null, mayChange: false },
      ],
    });
    const { approvers } = value(await sato.register("site\\SATO", PASSPHRASE));
    expect(approvers[0]).toMatchObject({ account: "SITE\\sato", registeredAt: "2026-09-05T03:00:00.000Z" });
    value(await sato.register("SITE\\sato", `${PASSPHRASE} neu`));
    value(await sato.remove("SITE\\sato"));
    expect(changes).toEqual(["registered SITE\\sato", "replaced SITE\\sato", "removed SITE\\sato"]);
  });

  it("keep it salted and hashed, in a file for this account alone", async () => {
    value(await approversAs("suzuki", "approve").register("suzuki", PASSPHRASE));
    const path = join(folder, "approvers.json");
    const text = await readFile(path, "utf8");
    expect(text).not.toContain(PASSPHRASE);
    expect(text).not.toContain(Buffer.from(PASSPHRASE).toString("base64"));
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("keep who set each passphrase, and read a file of a version that did not", async () => {
    const sato = approversAs("SITE\\sato", "approve");
    value(await sato.register("suzuki", PASSPHRASE));
    const { approvers } = value(await sato.register("SITE\\sato", PASSPHRASE));
    expect(approvers.map(({ setBy }) => setBy)).toEqual(["SITE\\sato", "SITE\\sato"]);
    const path = join(folder, "approvers.json");
    const kept = JSON.parse(await readFile(path, "utf8"));
    const before = kept.approvers.map(({ setBy: _, ...entry }: { setBy: string }) => entry);
    await writeFile(path, JSON.stringify({ ...kept, approvers: before }));
    expect((await sato.view()).approvers.map(({ registeredAt, setBy }) => [registeredAt, setBy])).toEqual([
      ["2026-09-05T03:00:00.000Z", null],
      ["2026-09-05T03:00:00.000Z", null],
    ]);
    expect(value(await sato.prove("suzuki", PASSPHRASE, ["SITE\\sato"]))).toEqual({
      account: "suzuki",
      passphraseBy: null,
    });
    value(await approversAs("suzuki", "approve").register("suzuki", PASSPHRASE));
    expect((await sato.view()).approvers[1]?.setBy).toBe("suzuki");
  });

  it.each([
    ["too short", "suzuki", "approve", "suzuki", "short", "PASSPHRASE_TOO_SHORT"],
    ["of somebody without the role", "suzuki", "approve", "tanaka", PASSPHRASE, "APPROVER_NOT_LISTED"],
    [
      "of another person, set by an operator",
      "tanaka",
      "operate",
      "suzuki",
      PASSPHRASE,
      "APPROVER_NOT_YOURS",
    ],
    ["by somebody who may only look", "suzuki", "view", "suzuki", PASSPHRASE, "APPROVER_NOT_YOURS"],
  ] as const)("refuse a passphrase %s", async (_, session, mode, account, passphrase, expected) => {
    expect(code(await approversAs(session, mode).register(account, passphrase))).toBe(expected);
    expect(changes).toEqual([]);
  });
});

describe("a consent (operator-ux §2.4)", () => {
  beforeEach(async () => {
    value(await approversAs("suzuki", "approve").register("suzuki", PASSPHRASE));
  });

  it("is the word of a listed approver with the passphrase, in any composition of its letters", async () => {
    const proven = await approversAs("tanaka", "operate").prove("SUZUKI", PASSPHRASE.normalize("NFD"), [
      "tanaka",
    ]);
    expect(value(proven)).toEqual({ account: "suzuki", passphraseBy: null });
  });

  it("names the requester who had set the passphrase, until the approver sets it", async () => {
    value(await approversAs("SITE\\sato", "approve").register("suzuki", PASSPHRASE));
    const sato = approversAs("SITE\\sato", "approve");
    expect(value(await sato.prove("suzuki", PASSPHRASE, ["SITE\\sato", "app"]))).toEqual({
      account: "suzuki",
      passphraseBy: "SITE\\sato",
    });
    expect(value(await sato.prove("suzuki", PASSPHRASE, ["tanaka"])).passphraseBy).toBeNull();
    value(await approversAs("suzuki", "approve").register("suzuki", PASSPHRASE));
    expect(value(await sato.prove("suzuki", PASSPHRASE, ["SITE\\sato"])).passphraseBy).toBeNull();
  });

  it.each([
    ["a wrong passphrase", "suzuki", "another passphrase"],
    ["an account nobody knows", "nobody", PASSPHRASE],
    ["an approver without a passphrase", "SITE\\sato", PASSPHRASE],
    ["somebody who may only operate", "yamada", PASSPHRASE],
  ])("refuses %s in the same words", async (_, account, passphrase) => {
    const answer = await approversAs("tanaka", "operate").prove(account, passphrase, ["tanaka"]);
    expect(answer).toEqual({
      ok: false,
      error: expect.objectContaining({ code: "CONSENT_REFUSED", place: "consent" }),
    });
    expect(refusals.join()).not.toContain(passphrase);
    expect(refusals.join()).not.toContain(account);
  });

  it.each([["suzuki"], ["SUZUKI"], ["SITE\\suzuki"]])(
    "refuses the word of the one who acts, as %s",
    async (requester) => {
      const answer = await approversAs(requester, "operate").prove("suzuki", PASSPHRASE, [requester]);
      expect(code(answer)).toBe("SELF_APPROVAL");
    },
  );

  it("no longer counts once the role is gone", async () => {
    roles = { ...ROLES, accounts: ROLES.accounts.slice(0, 2) };
    const answer = await approversAs("tanaka", "operate").prove("suzuki", PASSPHRASE, ["tanaka"]);
    expect(code(answer)).toBe("CONSENT_REFUSED");
  });

  it("is looked at again only after a growing wait, whoever is guessed, and even when it is right", async () => {
    const approvers = approversAs("tanaka", "operate");
    for (const account of ["suzuki", "nobody", "SITE\\sato"])
      expect(code(await approvers.prove(account, "a wrong passphrase", ["tanaka"]))).toBe("CONSENT_REFUSED");
    expect(await approvers.prove("suzuki", PASSPHRASE, ["tanaka"])).toMatchObject({
      error: { code: "CONSENT_TOO_OFTEN", details: { waitMs: 5_000 } },
    });
    now += 5_000;
    expect(value(await approvers.prove("suzuki", PASSPHRASE, ["tanaka"]))).toEqual({
      account: "suzuki",
      passphraseBy: null,
    });
  });
});

describe("the wait after wrong passphrases", () => {
  it("doubles up to five minutes and ends with a right one", () => {
    let at = 0;
    const limit = createGuessLimit(() => at);
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(() => {
      at += limit.waitMs();
      limit.failed();
      return limit.waitMs();
    });
    expect(waits).toEqual([0, 0, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    limit.passed();
    expect(limit.waitMs()).toBe(0);
  });

  it("is not made longer by a clock that was set back", () => {
    let at = 9 * 3_600_000;
    const limit = createGuessLimit(() => at);
    for (let tries = 0; tries < 3; tries += 1) limit.failed();
    at = 0;
    expect(limit.waitMs()).toBe(300_000);
    at = 300_000;
    expect(limit.waitMs()).toBe(0);
  });
});

describe("a passphrase somebody else set (operator-ux §2.4)", () => {
  it.each<[string, string, string | null, readonly string[], string | null, string | null]>([
    ["set by the one who acts", "suzuki", "tanaka", ["tanaka"], "tanaka", "tanaka"],
    ["the same in another spelling", "suzuki", "SITE\\Tanaka", ["tanaka"], "SITE\\Tanaka", "SITE\\Tanaka"],
    ["by the name of the records", "suzuki", "tanaka", ["ops", "tanaka@site.example"], "tanaka", "tanaka"],
    ["set by a third person", "suzuki", "sato", ["tanaka"], "sato", null],
    ["set by the approver", "suzuki", "SUZUKI", ["tanaka"], null, null],
    ["set by one who is like approver and actor", "A\\bob", "bob", ["B\\bob"], "bob", "bob"],
    ["of a version that kept nothing", "suzuki", null, ["tanaka"], null, null],
    ["with nobody who acts", "suzuki", "tanaka", [], "tanaka", null],
  ])("%s", (_, account, setBy, requesters, another, requester) => {
    expect(setByAnother({ account, setBy })).toBe(another);
    expect(passphraseOfRequester({ account, setBy }, requesters)).toBe(requester);
  });

  it.each([
    [{ kind: "none", account: null }, false],
    [{ kind: "person", account: "suzuki" }, false],
    [{ kind: "person", account: "suzuki", passphraseBy: "tanaka" }, true],
    [{ kind: "breakGlass", account: null }, true],
  ] as const)("a consent %o is to be reviewed: %s", (consent, due) => {
    expect(needsReview(consent)).toBe(due);
  });
});

describe("who is the same person", () => {
  it.each([
    ["tanaka", "TANAKA", true],
    ["SITE\\tanaka", "tanaka", true],
    ["tanaka@site.example", "tanaka", true],
    ["ｔａｎａｋａ", "tanaka", true],
    ["SITE\\tanaka", "OTHER\\tanaka", false],
    ["SITE\\tanaka", "tanaka@site.example", true],
    ["tanaka@a.example", "tanaka@b.example", false],
    ["tan\u200baka\u00a0", "tanaka", true],
    ["tanaka", "tanaka2", false],
  ])("%s and %s: %s", (left, right, same) => {
    expect(sameAccount(left, right)).toBe(same);
    expect(sameAccount(right, left)).toBe(same);
  });
});
