import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { JobUnlockResult } from "../../../renderer/locks/job-unlock-result.tsx";
import { ReleaseResult } from "../../../renderer/locks/release/release-result.tsx";
import { freshRelease } from "../../../renderer/locks/release/use-release.ts";
import { freshDraft } from "../../../renderer/state/action-draft.ts";
import type { Stores } from "../../../renderer/state/stores.ts";
import type { LockDetail, Operation } from "../../../shared/api/index.ts";
import { LOCK_RECOVERY_EXIT_CODES } from "../../../shared/contract/index.ts";
import { openStores } from "./open-stores.ts";
import { showBare } from "./shown-window.tsx";

afterEach(cleanup);

const operation = (change: Partial<Operation>): Operation => ({
  operationId: "00000000-0000-4000-8000-000000000000",
  kind: "forceUnlock",
  networkId: "sales_import",
  businessKey: null,
  runId: null,
  nodeId: null,
  requestId: null,
  jobKey: null,
  requestedBy: "tanaka",
  reason: "r",
  acceptedAt: "2026-09-05T05:03:20Z",
  endedAt: "2026-09-05T05:03:21Z",
  state: "done",
  outcome: null,
  resultCode: null,
  aggregateStatus: null,
  detail: {},
  probes: [],
  consent: { kind: "breakGlass", account: null },
  problem: null,
  ...change,
});

const detail: LockDetail = {
  lock: {
    networkId: "sales_import",
    profile: "prod",
    holder: {
      recordId: "9",
      ownerInvocationId: "invoke_c41f",
      ownerInstanceId: "local-pid://HOST-A/8812",
      host: "HOST-A",
      pid: 8812,
      thisHost: true,
      startedAt: "2026-09-05T04:20:00Z",
      heartbeatAt: "2026-09-05T04:49:00Z",
      leaseExpiresAt: "2026-09-05T04:52:00Z",
      marginEndsAt: "2026-09-05T04:53:00Z",
      staleCandidate: true,
      revision: 214,
      runId: "run-1",
      businessKey: "sales_import@2026-09-04",
    },
  },
  currentNodes: [{ nodeId: "import_csv", attemptNo: 2, startedAt: null }],
  nodesProblem: null,
  probes: [],
  verdict: { kind: "gone", by: "pid" },
  readAt: "2026-09-05T05:03:20Z",
};

async function shown(stores: Stores, result: React.ReactNode): Promise<string> {
  stores.locks.store.setState({ recordId: "9", detail: { phase: "ready", value: detail, problem: null } });
  await showBare(stores, result);
  return document.body.textContent ?? "";
}

describe("the end of a forced release (operator-ux §2.3, step 8)", () => {
  it("names its audit, and for every node it left open what to do next", async () => {
    const ended = operation({ detail: { eventId: "net_unlock_1", audit: "RECORDED", revision: 215 } });
    const text = await shown(openStores(), <ReleaseResult operation={ended} />);
    for (const fact of [
      "sales_import のロックを解放しました。",
      "net_unlock_1",
      "215",
      "import_csv 試行 2",
    ]) {
      expect(text).toContain(fact);
    }
    expect(screen.getByRole("link").getAttribute("href")).toContain("run-1");
    expect(screen.getByRole("button", { name: "sales_import@2026-09-04 を再開する" })).toBeDefined();
  });

  it("says when the audit has to be added", async () => {
    const ended = operation({ detail: { eventId: "net_unlock_1", audit: "PENDING" } });
    const text = await shown(openStores(), <ReleaseResult operation={ended} />);
    expect(text).toContain("監査履歴は書かれていません。");
  });

  it("offers the release without its audit only after the audit was refused, and asks for it anew (fenced-writes R7)", async () => {
    const stores = openStores();
    const intent = freshRelease(detail.lock);
    if (intent === null) throw new Error("no form");
    stores.action.store.setState({ draft: freshDraft(intent, {}), place: "page" });
    const refused = operation({ state: "refused", problem: { code: "AUDIT_FAILED", message: "m" } });
    const text = await shown(stores, <ReleaseResult operation={refused} />);
    expect(text).toContain("監査履歴を書けなかったため、解放していません。");
    fireEvent.click(screen.getByRole("button", { name: "監査履歴なしで解放することを選ぶ" }));
    const { draft, sent } = stores.action.store.getState();
    expect(draft?.intent).toMatchObject({ kind: "forceUnlock", withoutAudit: true });
    expect(sent).toBeNull();
  });

  it("tells nothing of its own about another refusal", async () => {
    const refused = operation({ state: "refused", problem: { code: "OWNER_MISMATCH", message: "m" } });
    expect(await shown(openStores(), <ReleaseResult operation={refused} />)).toBe("");
  });
});

describe("what the runner answered about a job lock (execution-contract §2.5)", () => {
  it("has words of its own for every outcome", async () => {
    const texts: string[] = [];
    for (const outcome of Object.keys(LOCK_RECOVERY_EXIT_CODES)) {
      const ended = operation({
        kind: "jobUnlock",
        jobKey: "prod:load",
        detail: { outcome, audit: "PENDING" },
      });
      const text = await shown(openStores(), <JobUnlockResult operation={ended} />);
      expect(text).toContain(`(${outcome})`);
      expect(text).toContain("監査履歴を書けませんでした。");
      texts.push(screen.getAllByTestId("job-unlock-outcome").at(-1)?.textContent ?? "");
      cleanup();
    }
    expect(new Set(texts).size).toBe(texts.length);
  });
});
