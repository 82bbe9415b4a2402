import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApprovers, openApproversFile } from "../../../../../main/console/acting/people/approvers.ts";
import { openEmbedded } from "../../../../../main/console/index.ts";
import { openRolesFile, sessionAccount } from "../../../../../main/console/roles.ts";
import type { ConsoleApi, Intent, LockHolder } from "../../../../../shared/api/index.ts";
import { acted, confirmationOf, confirmed } from "../../../../support/acting-page.ts";
import { type ConsoleFixture, code, openConsoleOver, value } from "../../../../support/console-fixture.ts";
import { KILLED_NETWORK, killRun } from "../../../../support/killed-run.ts";
import {
  openScriptedWorkspace,
  type ScriptedWorkspace,
  until,
} from "../../../../support/scripted-workspace.ts";

const SLOW = 180_000;
/** Past the lease of the killed Run, its margin, and the minute its stored times lost. */
const LATER_MS = 400_000;
const NOT_KEPT = "0".repeat(64);
const PASSPHRASE = "seven words that only suzuki knows";

type ForceUnlock = Extract<Intent, { kind: "forceUnlock" }>;

/** Roles with one approver, who has a passphrase. */
async function appoint(dataDir: string): Promise<void> {
  await writeFile(
    join(dataDir, "roles.json"),
    JSON.stringify({
      kind: "FLOWNET_ROLES",
      formatVersion: 1,
      otherAccounts: "view",
      accounts: [
        { account: sessionAccount(), mode: "operate" },
        { account: "suzuki", mode: "approve" },
      ],
    }),
  );
  const approvers = createApprovers({
    file: openApproversFile(dataDir),
    roles: async () => (await openRolesFile(dataDir).read()).value,
    session: () => ({ account: "suzuki", mode: "approve", source: "roles" }),
    changed: async () => undefined,
    refused: () => undefined,
    nowMs: () => Date.now(),
  });
  value(await approvers.register("suzuki", PASSPHRASE));
}
const CONSENT = { kind: "person", account: "suzuki", passphrase: PASSPHRASE } as const;

/** The answer to the last part. */
async function upload(api: ConsoleApi, name: string, ...parts: readonly string[]) {
  const uploadId = randomUUID();
  const answers = await Promise.all(
    parts.map((part, index) => {
      const base64 = Buffer.from(part).toString("base64");
      return api.evidence.keep({ uploadId, index, last: index === parts.length - 1, name, base64 });
    }),
  );
  const last = answers.at(-1);
  if (last === undefined) throw new Error("nothing was sent");
  return last;
}

describe("a forced release over the API (decisions §3, operator-ux §2.3)", () => {
  let dataDir: string;
  let pid: number;
  let console_: ConsoleFixture;
  let api: ConsoleApi;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "flownet-force-"));
    pid = await killRun(dataDir, "k");
    await appoint(dataDir);
    const env = { ...process.env, FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) };
    const workspace = await openEmbedded({ dataDir, env, endServer: true });
    const nowMs = (): number => Date.now() + LATER_MS;
    console_ = await openConsoleOver(workspace, { nowMs, monotonicMs: () => performance.now() });
    api = console_.api;
    dispose = async () => {
      await console_.close();
      await workspace.dispose();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    };
    value(await api.runs.refresh({}));
    // A child may outlive its killed owner; nothing is released while it does.
    await until(async () => value(await api.acting.plan({ intent: await intentOf() })).plan.available);
  }, SLOW);
  afterAll(() => dispose(), SLOW);

  const holder = async (): Promise<LockHolder | null> =>
    value(await api.locks.list({})).locks.find(({ networkId }) => networkId === KILLED_NETWORK)?.holder ??
    null;

  const intentOf = async (over: Partial<ForceUnlock> = {}): Promise<ForceUnlock> => {
    const held = await holder();
    return {
      kind: "forceUnlock",
      recordId: held?.recordId ?? "0",
      networkId: KILLED_NETWORK,
      profile: console_.workspace.profile,
      ownerInvocationId: held?.ownerInvocationId ?? "",
      pid,
      stopLabel: "processEnded",
      stopOther: "",
      stopConfirmedBy: "tanaka",
      evidenceText: "INC-1",
      evidenceFiles: [],
      reason: "the host lost its power at 03:12",
      checked: [],
      withoutAudit: false,
      ...over,
    };
  };

  it("is planned with the method this host verified, and asks for the end of the owner's id", async () => {
    const intent = await intentOf();
    const { plan, friction } = value(await api.acting.plan({ intent }));
    expect(plan).toMatchObject({ operation: "FORCE_UNLOCK", available: true, danger: "L4" });
    const audit = plan.writes.find(({ record }) => record === "audit");
    const to = (name: string) => audit?.changes.find(({ field }) => field === name)?.to;
    expect(to("stopMethod")).toBe("local_pid");
    expect(to("reason")).toBe("プロセス終了確認: the host lost its power at 03:12");
    expect(to("stopEvidenceRef")).toMatch(new RegExp(`^PID ${pid}; process start \\d{4}-.*; INC-1$`));
    expect(friction.identifier).toBe(intent.ownerInvocationId.slice(-8));
    expect(friction.secondPerson).toBe(true);
  });

  it.each<[string, Partial<ForceUnlock>, string, string | undefined]>([
    ["no process is named", { pid: null }, "PID_REQUIRED", "pid"],
    ["another process is named", { pid: 1 }, "PID_MISMATCH", undefined],
    ["another owner is named", { ownerInvocationId: "invoke_other" }, "OWNER_MISMATCH", undefined],
    ["the owner of another lock was looked at", { recordId: "999999" }, "OWNER_MISMATCH", "recordId"],
    ["no evidence is given", { evidenceText: " " }, "EVIDENCE_REQUIRED", "evidenceText"],
    ["nobody is named", { stopConfirmedBy: "" }, "STOP_CONFIRMED_BY_REQUIRED", "stopConfirmedBy"],
    ["the way is not said", { stopLabel: "other" }, "STOP_METHOD_REQUIRED", "stopOther"],
    ["the file is not kept here", { evidenceFiles: [NOT_KEPT] }, "EVIDENCE_UNKNOWN", "evidenceFiles"],
  ])("is refused where %s", async (_, over, expected, place) => {
    const intent = await intentOf(over);
    const planned = await api.acting.plan({ intent });
    const answer = planned.ok
      ? await api.acting.execute(confirmationOf(intent, planned.value, { consent: CONSENT }))
      : planned;
    expect(answer).toMatchObject({ ok: false, error: { code: expected } });
    if (place !== undefined) expect(answer).toMatchObject({ error: { place } });
    expect(await holder()).not.toBeNull();
  });

  it("is refused on the plan of another decision about the same lock (operator-ux D6)", async () => {
    const shown = value(await api.acting.plan({ intent: await intentOf() }));
    const intent = await intentOf({ withoutAudit: true });
    const answer = await api.acting.execute(confirmationOf(intent, shown, { consent: CONSENT }));
    expect(code(answer)).toBe("PLAN_NOT_SHOWN");
    expect(await holder()).not.toBeNull();
  });

  it("rests on nobody's word about a process this host can look at", async () => {
    const intent = await intentOf({ stopLabel: "hostStopped" });
    const { plan } = value(await api.acting.plan({ intent }));
    const audit = plan.writes.find(({ record }) => record === "audit");
    expect(audit?.changes.find(({ field }) => field === "stopMethod")?.to).toBe("manual");
    expect(plan.consequences.map(({ name }) => name)).toContain("restsOnYourWord");
  });

  it("takes evidence in parts, in order, and keeps it under its hash", async () => {
    const kept = value(await upload(api, "tasklist.txt", "no such ", "process"));
    expect(kept).toMatchObject({
      name: "tasklist.txt",
      bytes: 15,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await readdir(join(dataDir, "evidence"))).toEqual([`${kept?.sha256}-tasklist.txt`]);
    const late = { uploadId: randomUUID(), index: 1, last: true, name: "a.txt", base64: "aGk=" };
    expect(code(await api.evidence.keep(late))).toBe("EVIDENCE_PART_REFUSED");
    expect(code(await upload(api, "../up.txt", "x"))).toBe("EVIDENCE_PART_REFUSED");
  });

  it(
    "looks again at its moment, tells what it saw, and keeps the hash of the file with the audit",
    async () => {
      const sha256 = value(await upload(api, "photo.txt", "the switched off host"))?.sha256 ?? "";
      const intent = await intentOf({ evidenceFiles: [sha256] });
      const operation = await acted(api, intent, { consent: CONSENT });
      expect(operation).toMatchObject({
        kind: "forceUnlock",
        state: "done",
        networkId: KILLED_NETWORK,
        consent: { kind: "person", account: "suzuki" },
        detail: { audit: "RECORDED", previousOwnerInvocationId: intent.ownerInvocationId },
      });
      const probes = new Map(operation.probes.map(({ probe, result }) => [probe, result]));
      expect([probes.get("lease"), probes.get("process")]).toEqual(["ended", "ended"]);
      const eventId = String(operation.detail.eventId);
      const audits = value(await api.audit.list({ filter: {}, before: null, limit: 20 }));
      const key = audits.entries.find(({ kind }) => kind === "forceRelease")?.key ?? "";
      const audit = JSON.stringify(value(await api.audit.entry({ key })).fields);
      for (const told of [eventId, sha256, `photo.txt sha256:${sha256}`]) expect(audit).toContain(told);
      value(await api.runs.refresh({}));
      expect(await holder()).toBeNull();
      expect(code(await confirmed(api, intent, { consent: CONSENT }))).toBe("LOCK_NOT_FOUND");
    },
    SLOW,
  );
});

describe("a resolution over the API (orchestration §5.4)", () => {
  let scripted: ScriptedWorkspace;
  let opened: ConsoleFixture;
  let api: ConsoleApi;
  let runId: string;

  beforeAll(async () => {
    scripted = await openScriptedWorkspace();
    const nodes = [{ id: "load", idempotent: false, script: { ending: "NO_RESULT" } }];
    runId = (await scripted.run(await scripted.network("once", nodes))).runId ?? "";
    await appoint(scripted.workspace.folders.root);
    opened = await openConsoleOver(scripted.workspace);
    api = opened.api;
    value(await api.runs.refresh({}));
  }, SLOW);
  afterAll(async () => {
    await opened.close();
    await scripted.dispose();
  }, SLOW);

  const resolve = (over: Partial<Extract<Intent, { kind: "resolve" }>> = {}): Intent => ({
    kind: "resolve",
    runId,
    nodeId: "load",
    outcome: "SUCCESS",
    manualCompletion: true,
    compensation: false,
    evidenceText: "3,000 rows counted",
    evidenceFiles: [],
    stopConfirmedBy: "tanaka",
    stopEvidence: "the JOB log is closed",
    reason: "the rows are all there",
    ...over,
  });

  it("shows the plan of a decision that needs an approver before there is one", async () => {
    const { plan, friction } = value(await api.acting.plan({ intent: resolve() }));
    expect(plan).toMatchObject({ operation: "RESOLVE_NODE", danger: "L3", available: true });
    expect(plan.writes.length).toBeGreaterThan(0);
    expect(friction).toEqual({
      identifier: "k/load",
      armMs: 3_000,
      secondPerson: true,
      breakGlassSentence: null,
    });
  });

  it.each([
    ["the end is not shown", { stopEvidence: "" }, "STOP_EVIDENCE_REQUIRED"],
    ["the completion is not said", { manualCompletion: false }, "MANUAL_COMPLETION_REQUIRED"],
    ["nothing is given as proof", { evidenceText: "" }, "EVIDENCE_REQUIRED"],
  ])("is refused where %s", async (_, over, expected) => {
    expect(code(await confirmed(api, resolve(over), { typed: "k/load", consent: CONSENT }))).toBe(expected);
  });

  it("is refused on the plan of another outcome (operator-ux D6)", async () => {
    const shown = value(await api.acting.plan({ intent: resolve({ outcome: "FAILED" }) }));
    const other = resolve({ outcome: "CANCELLED" });
    const order = confirmationOf(other, shown, { typed: "k/load", consent: CONSENT });
    expect(code(await api.acting.execute(order))).toBe("PLAN_NOT_SHOWN");
  });

  it("takes no sentence in the place of the approver a record names", async () => {
    const alone = { kind: "breakGlass", sentence: "I do this alone" } as const;
    expect(code(await confirmed(api, resolve(), { consent: alone }))).toBe("DISTINCT_APPROVER_REQUIRED");
    expect(code(await confirmed(api, resolve()))).toBe("CONSENT_REQUIRED");
  });

  it("names the approver in its record", async () => {
    const operation = await acted(api, resolve(), { consent: CONSENT });
    expect(operation).toMatchObject({
      kind: "resolve",
      state: "done",
      nodeId: "load",
      detail: { outcome: "SUCCESS", runStatus: "SUCCESS" },
      consent: { account: "suzuki" },
    });
    const { resolutions } = await scripted.workspace.reads.readRunGraph(runId);
    expect(resolutions).toMatchObject([
      { approvedBy: "suzuki", evidenceRef: "3,000 rows counted", stopConfirmedBy: "tanaka" },
    ]);
  });
});
