import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { AttentionPage } from "../../../renderer/attention/attention-page.tsx";
import { AuditPage } from "../../../renderer/audit/audit-page.tsx";
import { RequestsPage } from "../../../renderer/requests/requests-page.tsx";
import { failed, ready } from "../../../renderer/state/load.ts";
import type { Stores } from "../../../renderer/state/stores.ts";
import type {
  AttentionEntry,
  AttentionPicture,
  AuditEntry,
  RequestListRow,
  RequestPage,
} from "../../../shared/api/index.ts";
import { attentionItem } from "../../../shared/domain/attention.ts";
import { focusAfter, showKept } from "./kept-page.tsx";
import { openStores } from "./open-stores.ts";
import { standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

const AT = "2026-09-05T05:00:00.000Z";
const button = (name: RegExp): HTMLElement => screen.getByRole("button", { name, hidden: true });

describe("the queue of requests (operator-ux U5; WCAG 2.4.3)", () => {
  const row = (id: string): RequestListRow => ({
    readable: true,
    request: {
      id,
      revision: 1,
      type: "RERUN",
      state: "DONE",
      runId: "run_1",
      networkId: null,
      businessKey: null,
      scheduledFor: null,
      rerunFromNode: null,
      reason: "r",
      creatorCode: "tanaka",
      createdAt: AT,
      cancelRequested: false,
      claim: null,
      silent: false,
      resultCode: null,
      resultMessage: null,
      duplicates: [],
      cancelProblem: "REQUEST_ENDED",
    },
  });
  const poller: RequestPage["poller"] = {
    here: true,
    intervalMs: 10_000,
    lastSuccessAt: AT,
    problem: null,
    running: 0,
    waiting: 0,
    accepted: 0,
    oldestWaiting: null,
    lastClaim: null,
    silent: false,
  };
  const queue: RequestPage = {
    configured: true,
    rows: [row("7")],
    next: "7",
    openCount: 0,
    poller,
    readAt: AT,
  };
  const opened = (): Stores => {
    const stores = openStores();
    stores.requests.store.setState({ page: ready(queue), answered: "all", next: "7" });
    return stores;
  };

  it("keeps the choice of its rows, with the focus on it, while the other rows are read", async () => {
    const stores = opened();
    const go = await showKept(stores, <RequestsPage view="all" requestId={undefined} />);
    const radio = screen.getAllByRole("radio")[1];
    act(() => radio?.focus());
    await go(<RequestsPage view="open" requestId={undefined} />);
    expect(document.activeElement).toBe(radio);
    // Rows of the other choice would be an answer to another question, and so would "none".
    expect(screen.queryByText("run_1")).toBeNull();
    expect(screen.queryByText("未処理の要求はありません。")).toBeNull();
    expect(screen.getByText("操作要求を読み取っています。")).toBeDefined();
  });

  it("puts the focus on the end of the list in place of the button that read the last of it", async () => {
    const stores = opened();
    await showKept(stores, <RequestsPage view="all" requestId={undefined} />);
    const focused = await focusAfter(button(/さらに古い/), () =>
      stores.requests.store.setState({ older: [row("6")], next: null }),
    );
    expect(focused?.textContent).toBe("これより古い要求はありません。");
  });

  it("puts the focus on its heading when what was tried again succeeds", async () => {
    const stores = opened();
    const away = { code: "STORE_UNREACHABLE", message: "m" };
    stores.requests.store.setState({ page: failed(ready(queue), away) });
    await showKept(stores, <RequestsPage view="all" requestId={undefined} />);
    stores.requests.store.setState({ page: failed(ready(queue), away) });
    const retry = await screen.findByRole("button", { name: "もう一度読み取る" });
    const focused = await focusAfter(retry, () => stores.requests.store.setState({ page: ready(queue) }));
    expect(focused).toBe(screen.getByRole("heading", { level: 1 }));
  });
});

describe("the audit history (operator-ux U5; WCAG 2.4.3)", () => {
  const entry = (order: string): AuditEntry => ({
    key: `record-${order}`,
    source: "records",
    order,
    revision: 1,
    kind: "invocation",
    detail: null,
    at: AT,
    precision: "exact",
    networkId: "n",
    runId: null,
    businessKey: null,
    nodeId: null,
    account: null,
    who: null,
    confirmedBy: null,
    approvedBy: null,
    principal: null,
    result: null,
    reason: null,
  });

  it("puts the focus on how far was looked in place of the button that read the last of it", async () => {
    const stores = openStores();
    await showKept(stores, <AuditPage filter={{}} entry={undefined} />);
    const next = { records: "1", journal: null };
    act(() =>
      stores.audit.store.setState({ phase: "ready", entries: [entry("2")], next, looked: 1, readAt: AT }),
    );
    const focused = await focusAfter(button(/さらに古い/), () =>
      stores.audit.store.setState({ entries: [entry("2"), entry("1")], next: null }),
    );
    expect(focused?.contains(screen.getByTestId("audit-extent"))).toBe(true);
    expect(focused?.tagName).toBe("DIV");
  });
});

describe("要対応 (operator-ux §1.2, U5; WCAG 2.4.3)", () => {
  const taken = { name: "tanaka", note: "", account: "tanaka", at: AT };
  const item = (id: string, change: Partial<AttentionEntry> = {}): AttentionEntry =>
    attentionItem("failed", { id, runId: `run_${id}`, since: null, facts: [], ...change });
  const picture = (...items: readonly AttentionEntry[]): AttentionPicture => ({
    items,
    total: items.length,
    sources: [],
    calm: false,
    judgedAt: AT,
  });
  const home = async (...items: readonly AttentionEntry[]): Promise<Stores> => {
    const stores = openStores();
    stores.attention.take(picture(...items));
    await showKept(stores, <AttentionPage />);
    return stores;
  };

  it("goes from 記録 to the button in its place, and with the mark to the one that takes it back", async () => {
    const stores = await home(item("1"));
    act(() => stores.notes.mark("1"));
    const between = await focusAfter(button(/^記録/), () => stores.notes.store.setState({ marking: null }));
    expect(between).toBe(button(/対応中に/));
    await act(async () => stores.attention.take(picture(item("1", { acknowledged: taken }))));
    expect(document.activeElement).toBe(within(screen.getByTestId("acknowledged")).getByRole("button"));
  });

  it("goes from 解除 to the button that takes it on again", async () => {
    const stores = await home(item("1", { acknowledged: taken }));
    const release = within(screen.getByTestId("acknowledged")).getByRole("button");
    const focused = await focusAfter(release, () => stores.attention.take(picture(item("1"))));
    expect(focused).toBe(button(/対応中に/));
  });

  it("goes from 並べ替えを更新 to the heading of the list", async () => {
    const stores = await home(item("1"));
    act(() => stores.attention.hold(true));
    act(() => stores.attention.take(picture(item("1"), item("2"))));
    const reorder = button(/並べ替え/);
    const focused = await focusAfter(reorder, () => reorder.click());
    expect(focused).toBe(screen.getByRole("heading", { level: 1 }));
  });

  it("goes from the button that shows the rest to the first row it brought", async () => {
    await home(...Array.from({ length: 45 }, (_, index) => item(`${100 + index}`)));
    const more = button(/続きを表示/);
    const focused = await focusAfter(more, () => more.click());
    expect(focused?.closest("[data-item]")?.getAttribute("data-item")).toBe("140");
  });
});
