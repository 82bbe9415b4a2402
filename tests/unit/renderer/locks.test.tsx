import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { leaseCountdown } from "../../../renderer/locks/lease.ts";
import { LockPanel } from "../../../renderer/locks/lock-detail.tsx";
import { LocksTable } from "../../../renderer/locks/locks-table.tsx";
import { seenText } from "../../../renderer/locks/seen-text.ts";
import { createTexts } from "../../../renderer/text/i18n.ts";
import {
  type LockDetail,
  type LockHolder,
  PROBES,
  type Probe,
  type ProbeName,
  type ProbeState,
} from "../../../shared/api/index.ts";
import { openStores } from "./open-stores.ts";
import { showBare, standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

const END = "2026-09-05T04:52:00Z";
const holder: LockHolder = {
  recordId: "9",
  ownerInvocationId: "invoke_c41f",
  ownerInstanceId: "local-pid://HOST-A/8812",
  host: "HOST-A",
  pid: 8812,
  thisHost: true,
  startedAt: "2026-09-05T04:20:00Z",
  heartbeatAt: "2026-09-05T04:49:00Z",
  leaseExpiresAt: END,
  marginEndsAt: "2026-09-05T04:53:00Z",
  staleCandidate: true,
  revision: 214,
  runId: "run-1",
  businessKey: "sales_import@2026-09-04",
};
const probe = (change: Partial<Probe>): Probe => ({
  probe: "process",
  result: "ended",
  state: null,
  at: "2026-09-05T05:03:20Z",
  seen: null,
  ...change,
});
const detail = (change: Partial<LockDetail> = {}, of: Partial<LockHolder> = {}): LockDetail => ({
  lock: { networkId: "sales_import", profile: "prod", holder: { ...holder, ...of } },
  currentNodes: [{ nodeId: "import_csv", attemptNo: 2, startedAt: null }],
  nodesProblem: null,
  probes: [probe({})],
  verdict: { kind: "gone", by: "pid" },
  readAt: "2026-09-05T05:03:20Z",
  ...change,
});

async function panel(shown: LockDetail): Promise<string> {
  const stores = openStores();
  stores.locks.store.setState({ recordId: "9", detail: { phase: "ready", value: shown, problem: null } });
  await showBare(stores, <LockPanel />);
  return document.body.textContent ?? "";
}

describe("how long a lease stands (wire-format §4.5, the 60 s margin)", () => {
  const end = Date.parse(END);
  it.each([
    [-90_000, { phase: "standing", seconds: 90 }],
    [-1, { phase: "standing", seconds: 1 }],
    [0, { phase: "standing", seconds: 0 }],
    [1, { phase: "margin", seconds: 60 }],
    [60_000, { phase: "margin", seconds: 0 }],
    [60_001, { phase: "over", seconds: 0 }],
    [480_000, { phase: "over", seconds: 420 }],
  ])("%i ms after its end", (ms, expected) => {
    expect(leaseCountdown(END, end + ms)).toEqual(expected);
  });

  it("is not counted where the end cannot be read", () => {
    expect(leaseCountdown("?", end)).toBeNull();
  });
});

describe("the holder of a lock (operator-ux §2.3, steps 1 and 2)", () => {
  it("shows every fact, the candidate with the words that it is no proof", async () => {
    const text = await panel(detail());
    for (const fact of [
      "sales_import のロック",
      "停止の証明ではありません",
      "invoke_c41f",
      "HOST-A (この端末)",
      "PID 8812",
      "sales_import@2026-09-04",
      "import_csv 試行 2",
      "214",
      "所有者のプロセスは存在しません。",
      "PID がないことで判断しました。",
    ]) {
      expect(text).toContain(fact);
    }
    expect(screen.getAllByRole("button").map((each) => each.textContent)).not.toContain("強制解放する");
  });

  it.each<[string, LockDetail, string]>([
    [
      "waits for a standing lease",
      detail({ verdict: { kind: "gone", by: "pid" } }, { staleCandidate: false }),
      "終わるまで待ってください。",
    ],
    [
      "asks what a living owner does",
      detail({ verdict: { kind: "alive", by: "journal" } }),
      "動いている所有者のロックは解放できません。",
    ],
    [
      "sends to the owner's host what cannot be told",
      detail({ verdict: { kind: "cannot-tell", by: "other-host" } }, { thisHost: false }),
      "所有者のホストで、プロセスの終了",
    ],
    ["asks for the children of a dead owner", detail(), "子プロセスも止まっていること"],
  ])("%s", async (_, shown, expected) => {
    expect(await panel(shown)).toContain(expected);
  });

  it("says of another host that nothing can be seen from here", async () => {
    const afar = detail({ verdict: { kind: "cannot-tell", by: "other-host" } }, { thisHost: false });
    const text = await panel(afar);
    expect(text).toContain("HOST-A (別の端末)");
    expect(text).toContain("この端末からは分かりません。");
  });

  it("gives a creation time in the zone of the window, not as it came (operator-ux §1.1)", async () => {
    const seen = "2026-09-05T04:19:58.120Z";
    const text = await panel(detail({ probes: [probe({ result: "alive", seen })] }));
    expect(text).toContain("04:19:58");
    expect(text).not.toContain(seen);
  });

  it("tells when its Run could not be read instead of claiming that no node runs", async () => {
    const text = await panel(
      detail({ nodesProblem: { code: "STORE_UNREACHABLE", message: "m" }, currentNodes: [] }),
    );
    expect(text).toContain("kintone に接続できません。");
    expect(text).not.toContain("未完了のノードはありません");
  });

  it("has words of its own for what each probe saw", async () => {
    const texts = await createTexts("ja");
    const states: Partial<Record<ProbeName, ProbeState>> = {
      jobLog: "unreadable",
      resultFile: "unreadable",
      jobLock: "unreadable",
    };
    const said = PROBES.map((name) =>
      seenText(probe({ probe: name, result: "cannotTell", state: states[name] ?? null }), texts.t),
    );
    expect(said.every((text) => text !== "")).toBe(true);
    expect(new Set(said).size).toBeGreaterThanOrEqual(PROBES.length - 1);
  });
});

describe("the list of locks", () => {
  it("shows free networks beside held ones, and only the held ones open", async () => {
    await showBare(
      openStores(),
      <LocksTable
        locks={[
          { networkId: null, profile: "prod", holder: { ...holder, runId: null, businessKey: null } },
          { networkId: "diamond", profile: "prod", holder: null },
        ]}
      />,
    );
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["#/locks/9"]);
    expect(screen.getByText("不明なネットワーク")).toBeDefined();
    expect(screen.getByText("空き")).toBeDefined();
  });
});
