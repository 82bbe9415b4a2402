import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ActionDialog } from "../../../renderer/action/action-dialog.tsx";
import { BulkSheet } from "../../../renderer/action/bulk/bulk-sheet.tsx";
import { Shell } from "../../../renderer/app/shell.tsx";
import { FiledRequests } from "../../../renderer/approvals/filed-requests.tsx";
import { PassphraseCell } from "../../../renderer/approvals/passphrase-cell.tsx";
import { ready } from "../../../renderer/state/load.ts";
import type { Freshness } from "../../../shared/api/index.ts";
import { focusAfter, showKept } from "./kept-page.tsx";
import { openStores } from "./open-stores.ts";
import { filedOf, operationOf, plain, planOf } from "./scripted-main.ts";
import { showBare, standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

const AT = "2026-09-05T05:00:00.000Z";
const planned = { plan: planOf(), friction: plain, readAt: AT };
const button = (name: RegExp): HTMLElement => screen.getByRole("button", { name, hidden: true });

describe("approvals (operator-ux §2.4; WCAG 2.4.3)", () => {
  it("goes from removing a passphrase to registering one", async () => {
    const stores = openStores();
    const go = await showKept(stores, <PassphraseCell account="sato" registered mayChange />);
    const remove = screen.getAllByRole("button")[1];
    act(() => remove?.focus());
    await go(<PassphraseCell account="sato" registered={false} mayChange />);
    expect(document.activeElement).toBe(screen.getByRole("button"));
  });

  it("goes into the entry of a filed request as it opens, and back to its button as it closes", async () => {
    const stores = openStores();
    const now = Date.now();
    const filed = {
      ...filedOf({ requestId: "1", intent: { kind: "resume", runId: "run_1", reason: "reason" } }),
      filedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 900_000).toISOString(),
    };
    stores.approvals.store.setState({ filed: ready([filed]) });
    await showKept(stores, <FiledRequests />);
    const open = screen.getAllByRole("button")[0];
    if (open === undefined) throw new Error("nothing to open");
    const name = open.getAttribute("aria-label");
    const field = await focusAfter(open, () => open.click());
    expect(field).toBe(screen.getAllByRole("textbox")[0]);
    const cancel = button(/^閉じる$/);
    const back = await focusAfter(cancel, () => cancel.click());
    expect(back?.getAttribute("aria-label")).toBe(name);
  });
});

describe("dialogs (operator-ux D3, D7; WCAG 2.4.3)", () => {
  it("goes from the confirmation of several Runs to the title of what goes on, not to its stop", async () => {
    const stores = openStores();
    const item = {
      recordId: "1",
      run: null,
      planned,
      state: "eligible",
      code: null,
      operationId: null,
    } as const;
    stores.bulk.store.setState({ items: [item], phase: "ready", reason: "a good reason", chosen: ["1"] });
    await showKept(stores, <BulkSheet />);
    const confirm = screen.getAllByRole("button", { hidden: true }).at(-1);
    if (confirm === undefined) throw new Error("nothing to confirm");
    const focused = await focusAfter(confirm, () => stores.bulk.store.setState({ phase: "running" }));
    expect(focused?.tagName).toBe("H2");
  });

  it("goes from looking again after a refusal to the title of the form that is there again", async () => {
    const stores = openStores();
    act(() => void stores.action.open({ kind: "resume", runId: "run_1", reason: "reason" }));
    const operation = operationOf("o", {
      state: "refused",
      endedAt: AT,
      problem: { code: "PLAN_STALE", message: "m" },
    });
    const sent = { operationId: "o", kind: "resume", planned, operation, problem: null } as const;
    stores.action.store.setState({ planned, planning: false, sent });
    await showKept(stores, <ActionDialog />);
    const again = button(/最新の記録で見直す/);
    const focused = await focusAfter(again, () => again.click());
    expect(focused?.tagName).toBe("H2");
    expect(screen.queryByTestId("outcome")).toBeNull();
  });
});

describe("what stands above every page (operator-ux U1; WCAG 2.4.3)", () => {
  it("goes from the notice of an old picture to the heading of the page when the picture is fresh", async () => {
    const stores = openStores();
    stores.live.line("open");
    const seen = (readAt: string): Freshness => ({
      source: "state",
      readAt,
      origin: "read",
      intervalMs: 60_000,
      problem: null,
    });
    stores.live.freshness(seen("2020-01-01T00:00:00.000Z"));
    await showBare(
      stores,
      <Shell route={{ page: "attention" }}>
        <h1>page</h1>
      </Shell>,
    );
    const focused = await focusAfter(screen.getByRole("button", { name: "更新する" }), () =>
      stores.live.freshness(seen(new Date().toISOString())),
    );
    expect(focused).toBe(screen.getByRole("heading", { level: 1 }));
  });
});

describe("where the focus goes with what is taken away (WCAG 2.4.3)", () => {
  it("stays where a component put it itself, and where the operator put it", async () => {
    const stores = openStores();
    const go = await showKept(
      stores,
      <>
        <h1>page</h1>
        <input aria-label="field" />
        <button type="button">gone</button>
      </>,
    );
    const field = screen.getByRole("textbox");
    act(() => button(/gone/).focus());
    act(() => field.focus());
    await go(
      <>
        <h1>page</h1>
        <input aria-label="field" />
      </>,
    );
    expect(document.activeElement).toBe(field);
  });

  it("leaves a page alone that the operator has left by a press beside everything", async () => {
    const stores = openStores();
    const go = await showKept(stores, <button type="button">gone</button>);
    await act(async () => {
      button(/gone/).focus();
      button(/gone/).blur();
    });
    await go(<h1>page</h1>);
    expect(document.activeElement).toBe(document.body);
  });

  it("makes a heading take the focus only for as long as it has it", async () => {
    const stores = openStores();
    const go = await showKept(stores, <button type="button">gone</button>);
    act(() => button(/gone/).focus());
    await go(<h1>page</h1>);
    const heading = screen.getByRole("heading", { level: 1 });
    expect(document.activeElement).toBe(heading);
    act(() => heading.blur());
    expect(heading.hasAttribute("tabindex")).toBe(false);
  });
});
