import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ActionDialog } from "../../../renderer/action/action-dialog.tsx";
import { ReleaseDrawer } from "../../../renderer/locks/release/release-drawer.tsx";
import { failed, ready } from "../../../renderer/state/load.ts";
import type { Stores } from "../../../renderer/state/stores.ts";
import { DayPage } from "../../../renderer/timeline-day/day-page.tsx";
import type { DayRuns, LockDetail, PlannedAction } from "../../../shared/api/index.ts";
import { showKept } from "./kept-page.tsx";
import { openStores } from "./open-stores.ts";
import { plain, planOf } from "./scripted-main.ts";
import { standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

const AT = "2026-09-05T05:00:00.000Z";
const AWAY = { code: "STORE_UNREACHABLE", message: "m" };
/** The first text field, with the focus on it. */
function typing(): HTMLElement {
  const field = screen.getAllByRole("textbox", { hidden: true })[0];
  if (field === undefined) throw new Error("no field to type in");
  act(() => field.focus());
  return field;
}

describe("the form of a forced release (operator-ux U5, D7)", () => {
  const detail: LockDetail = {
    lock: {
      networkId: "sales_import",
      profile: "prod",
      holder: {
        recordId: "9",
        ownerInvocationId: "invoke_c41f",
        ownerInstanceId: null,
        host: "HOST-B",
        thisHost: false,
        pid: 8812,
        runId: "run_1",
        businessKey: "sales_import@2026-09-04",
        startedAt: "2026-09-05T04:00:00Z",
        heartbeatAt: "2026-09-05T04:00:00Z",
        leaseExpiresAt: "2026-09-05T04:10:00Z",
        marginEndsAt: "2026-09-05T04:11:00Z",
        staleCandidate: true,
        revision: 214,
      },
    },
    currentNodes: [],
    nodesProblem: null,
    probes: [],
    verdict: { kind: "cannot-tell", by: "other-host" },
    readAt: AT,
  };

  it("stays under the hand while a look that was taken by itself fails, with the problem above it", async () => {
    const stores = openStores();
    stores.locks.store.setState({ recordId: "9", detail: ready(detail) });
    await showKept(stores, <ReleaseDrawer recordId="9" />);
    const field = typing();
    await act(async () => stores.locks.store.setState({ detail: failed(ready(detail), AWAY) }));
    expect(document.activeElement).toBe(field);
    const problem = screen.getByRole("alert", { hidden: true });
    expect(problem.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    await act(async () => stores.locks.store.setState({ detail: ready(detail) }));
    expect(document.activeElement).toBe(field);
    expect(screen.queryByRole("alert", { hidden: true })).toBeNull();
  });

  it("goes when the lock is no longer held: there is nothing to release", async () => {
    const stores = openStores();
    stores.locks.store.setState({ recordId: "9", detail: ready(detail) });
    await showKept(stores, <ReleaseDrawer recordId="9" />);
    typing();
    const gone = { code: "LOCK_NOT_HELD", message: "m" };
    await act(async () => stores.locks.store.setState({ detail: failed(ready(detail), gone) }));
    expect(screen.queryAllByRole("textbox", { hidden: true })).toEqual([]);
    expect(screen.getByTestId("release-gone")).toBeDefined();
    expect(document.activeElement?.tagName).toBe("H2");
  });
});

describe("the form of an action (operator-ux U5, D2, D6)", () => {
  const possible: PlannedAction = { plan: planOf(), friction: plain, readAt: AT };
  const impossible: PlannedAction = {
    ...possible,
    plan: planOf({ refusals: [{ code: "RUN_ACTIVE", message: "m" }] }),
  };
  const opened = async (planned: PlannedAction): Promise<Stores> => {
    const stores = openStores();
    act(() => void stores.action.open({ kind: "resume", runId: "run_1", reason: "half a rea" }));
    stores.action.store.setState({ planned, planning: false });
    await showKept(stores, <ActionDialog />);
    return stores;
  };

  it("stays under the hand when a plan made anew by itself is refused, and waits beside its button", async () => {
    const stores = await opened(possible);
    const field = typing();
    await act(async () => stores.action.store.setState({ planned: impossible }));
    expect(document.activeElement).toBe(field);
    expect(screen.getByTestId("confirm").getAttribute("aria-disabled")).toBe("true");
    const waits = document.getElementById(
      screen.getByTestId("confirm").getAttribute("aria-describedby") ?? "",
    );
    expect(waits?.textContent).toContain("いまの記録ではできません");
    await act(async () => stores.action.store.setState({ planned: possible }));
    expect(document.activeElement).toBe(field);
  });

  it("is not offered for what cannot be done from the start", async () => {
    await opened(impossible);
    expect(screen.queryAllByRole("textbox", { hidden: true })).toEqual([]);
  });
});

describe("the day of every network (operator-ux U5)", () => {
  it("stays when it cannot be read again, with the problem above it", async () => {
    const stores = openStores();
    const day: DayRuns = { runs: [], total: 0, readAt: AT };
    await showKept(stores, <DayPage day="2026-09-05" />);
    act(() => stores.pace.store.setState({ day: ready(day) }));
    const asList = screen.getByRole("switch");
    act(() => asList.focus());
    await act(async () => stores.pace.store.setState({ day: failed(ready(day), AWAY) }));
    expect(document.activeElement).toBe(asList);
    expect(screen.getByRole("alert")).toBeDefined();
  });
});
