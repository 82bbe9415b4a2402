import { join } from "node:path";
import { z } from "zod";
import {
  type ApproversView,
  PASSPHRASE_MIN,
  type RolesFile,
  type SessionInfo,
} from "../../../../shared/api/index.ts";
import { FlowError, fail, ok, type Problem, type Result } from "../../../../shared/domain/problem.ts";
import { createQueue } from "../../settings/queue.ts";
import { createVersionedFile, type VersionedFile } from "../../settings/versioned-file.ts";
import { createGuessLimit, type GuessLimit } from "./guess-limit.ts";
import { passphraseOfRequester } from "./independence.ts";
import { hashPassphrase, isPassphrase, passphraseHash } from "./passphrase.ts";
import { sameAccount } from "./same-account.ts";

const approversFile = z.strictObject({
  kind: z.literal("FLOWNET_APPROVERS"),
  formatVersion: z.literal(1),
  approvers: z
    .array(
      z.strictObject({
        account: z.string(),
        registeredAt: z.string(),
        /** The account of the session that set it; earlier versions did not keep it. */
        setBy: z.string().optional(),
        passphrase: passphraseHash,
      }),
    )
    .max(500)
    .readonly(),
});
type ApproversFile = z.infer<typeof approversFile>;
const NONE: ApproversFile = { kind: "FLOWNET_APPROVERS", formatVersion: 1, approvers: [] };

/** `approvers.json` of a data folder; never told to a page (decisions §5). */
export const openApproversFile = (dataDir: string): VersionedFile<ApproversFile> =>
  createVersionedFile({ path: join(dataDir, "approvers.json"), schema: approversFile, version: 1 });

export type ApproverChange = "registered" | "replaced" | "removed";

export interface ApproversDeps {
  readonly file: VersionedFile<ApproversFile>;
  /** As they stand now; null without roles. */
  readonly roles: () => Promise<RolesFile | null>;
  readonly session: () => SessionInfo;
  /** Written down before it counts. Rejects with the codes of the journal. */
  readonly changed: (change: ApproverChange, account: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** Told of every consent that was refused; it names no passphrase. */
  readonly refused: (problem: Problem) => void;
}

/** An approver who proved to be one. */
export interface ProvenApprover {
  readonly account: string;
  /** The requester who set the passphrase, which makes it no word of a second person; null: none of them. */
  readonly passphraseBy: string | null;
}

/** The people whose word counts beside the one who acts (decisions §5, operator-ux §2.4). */
export interface Approvers {
  view(): Promise<ApproversView>;
  /** Codes `PASSPHRASE_TOO_SHORT`, `APPROVER_NOT_LISTED`, `APPROVER_NOT_YOURS`, and those of the file. */
  register(account: string, passphrase: string): Promise<Result<ApproversView>>;
  remove(account: string): Promise<Result<ApproversView>>;
  /**
   * Proves that somebody is an approver and none of `requesters`, and tells whether one of these set the passphrase.
   * Codes `SELF_APPROVAL`, `CONSENT_TOO_OFTEN`, `CONSENT_REFUSED`, which does not tell whether the account or the
   * passphrase is wrong.
   */
  prove(account: string, passphrase: string, requesters: readonly string[]): Promise<Result<ProvenApprover>>;
}

export function createApprovers(deps: ApproversDeps): Approvers {
  // One after the other: two guesses at once would both count as the first.
  const queue = createQueue();
  const limit = createGuessLimit(deps.nowMs);
  const change = (account: string, work: (listed: string) => Promise<void>): Promise<Result<ApproversView>> =>
    queue(async () => {
      const allowed = await mayChange(deps, account);
      if (!allowed.ok) return allowed;
      await work(allowed.value);
      return ok(await viewOf(deps));
    });
  return {
    view: () => viewOf(deps),
    async register(account, passphrase) {
      if ([...passphrase].length < PASSPHRASE_MIN) return fail(tooShort);
      return change(account, (listed) => register(deps, listed, passphrase));
    },
    remove: (account) => change(account, (listed) => remove(deps, listed)),
    prove: (account, passphrase, requesters) =>
      queue(async () => {
        const proven = await prove(deps, limit, { account, passphrase, requesters });
        if (!proven.ok) deps.refused(proven.error);
        return proven;
      }),
  };
}

const listedApprovers = (roles: RolesFile | null): readonly string[] =>
  roles?.accounts.filter(({ mode }) => mode === "approve").map(({ account }) => account) ?? [];

async function read({
  file,
}: ApproversDeps): Promise<{ readonly revision: string; readonly value: ApproversFile }> {
  const { revision, value, readOnly } = await file.read();
  if (value === null && readOnly !== null) throw new FlowError(readOnly);
  return { revision, value: value ?? NONE };
}

async function viewOf(deps: ApproversDeps): Promise<ApproversView> {
  const [{ value }, roles] = [await read(deps), await deps.roles()];
  const session = deps.session();
  return {
    account: session.account,
    approvers: listedApprovers(roles).map((account) => {
      const entry = value.approvers.find((each) => isSame(each.account, account));
      const { registeredAt = null, setBy = null } = entry ?? {};
      return { account, registeredAt, setBy, mayChange: isHis(session, account) };
    }),
  };
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** One's own, or, for an approver, that of any: he may list approvers as well (decisions §5). */
const isHis = (session: SessionInfo, account: string): boolean =>
  session.mode === "approve" || (session.mode !== "view" && sameAccount(session.account, account));

async function mayChange(deps: ApproversDeps, account: string): Promise<Result<string>> {
  const listed = listedApprovers(await deps.roles()).find((each) => isSame(each, account));
  if (listed === undefined) return fail(notListed(account));
  return isHis(deps.session(), listed) ? ok(listed) : fail(notYours(account));
}

async function register(deps: ApproversDeps, account: string, passphrase: string): Promise<void> {
  const { revision, value } = await read(deps);
  const others = value.approvers.filter((each) => !isSame(each.account, account));
  const entry = {
    account,
    registeredAt: new Date(deps.nowMs()).toISOString(),
    setBy: deps.session().account,
    passphrase: await hashPassphrase(passphrase),
  };
  await deps.changed(others.length < value.approvers.length ? "replaced" : "registered", account);
  await deps.file.save(revision, { ...value, approvers: [...others, entry] });
}

async function remove(deps: ApproversDeps, account: string): Promise<void> {
  const { revision, value } = await read(deps);
  const others = value.approvers.filter((each) => !isSame(each.account, account));
  if (others.length === value.approvers.length) return;
  await deps.changed("removed", account);
  await deps.file.save(revision, { ...value, approvers: others });
}

async function prove(
  deps: ApproversDeps,
  limit: GuessLimit,
  given: { readonly account: string; readonly passphrase: string; readonly requesters: readonly string[] },
): Promise<Result<ProvenApprover>> {
  const { account, passphrase, requesters } = given;
  if (requesters.some((requester) => sameAccount(requester, account))) return fail(selfApproval);
  const waitMs = limit.waitMs();
  if (waitMs > 0) return fail(tooOften(waitMs));
  const listed = listedApprovers(await deps.roles()).find((each) => isSame(each, account));
  const { value } = await read(deps);
  const known = value.approvers.find((each) => listed !== undefined && isSame(each.account, listed));
  if (!(await isPassphrase(passphrase, known?.passphrase ?? null)) || listed === undefined) {
    limit.failed();
    return fail(refused);
  }
  limit.passed();
  const set = { account: listed, setBy: known?.setBy ?? null };
  return ok({ account: listed, passphraseBy: passphraseOfRequester(set, requesters) });
}

const tooShort: Problem = {
  code: "PASSPHRASE_TOO_SHORT",
  message: `A passphrase has at least ${PASSPHRASE_MIN} characters; nothing was kept.`,
  place: "passphrase",
  remedy: "Choose a longer one, such as a few words.",
};
const notListed = (account: string): Problem => ({
  code: "APPROVER_NOT_LISTED",
  message: `The account ${account} is not listed with the role to approve.`,
  place: "account",
  remedy: "Give it that role first.",
});
const notYours = (account: string): Problem => ({
  code: "APPROVER_NOT_YOURS",
  message: `The passphrase of ${account} may only be set by that account or by an approver.`,
  place: "account",
  remedy: "Have the approver sign in to this host, or ask one who may approve already.",
});
const selfApproval: Problem = {
  code: "SELF_APPROVAL",
  message: "Nobody consents to what they do themselves; nothing was done.",
  place: "consent",
  remedy: "Ask another approver.",
};
const refused: Problem = {
  code: "CONSENT_REFUSED",
  message: "Account and passphrase are not those of an approver; nothing was done.",
  place: "consent",
  remedy: "Check both. The settings show who may approve and has a passphrase.",
};
const tooOften = (waitMs: number): Problem => ({
  code: "CONSENT_TOO_OFTEN",
  message: "Too many consents were refused; for a while none is looked at.",
  place: "consent",
  remedy: "Wait, and check account and passphrase meanwhile.",
  details: { waitMs },
});
