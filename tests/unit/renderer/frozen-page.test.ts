import { describe, expect, it } from "vitest";
import { phaseOf } from "../../../renderer/state/action-sent.ts";
import { NO_NEWS } from "../../../renderer/state/freeze.ts";
import { createStores, type Stores } from "../../../renderer/state/stores.ts";
import type { AttentionEntry, AttentionPicture, ConsoleApi } from "../../../shared/api/index.ts";
import { attentionItem } from "../../../shared/domain/attention.ts";
import { ok } from "../../../shared/domain/problem.ts";
import {
  filedOf,
  operationOf,
  READ_AT,
  RUN_ID,
  type ScriptedMain,
  scriptedMain,
  settled,
} from "./scripted-main.ts";

const filed = filedOf({ requestId: "1", intent: { kind: "resume", runId: RUN_ID, reason: "reason" } });
const approvals = {
  list: async () => ok({ requests: [filed], readAt: READ_AT }),
  listBreakGlass: async () => ok({ actions: [], readAt: READ_AT }),
};

/** A window over this main whose page stands still. */
function frozen(main: ScriptedMain, notes?: object): Stores {
  const given: Readonly<Record<string, unknown>> = { approvals, notes };
  const api: ConsoleApi = new Proxy(main.api, {
    get: (target, name) => given[String(name)] ?? Reflect.get(target, name),
  });
  let ids = 0;
  const stores = createStores({
    api,
    storage: { getItem: () => null, setItem: () => undefined },
    systemLanguage: "ja",
    operationId: () => `op-${++ids}`,
    later: () => () => undefined,
    summarise: (messages) => messages.join(" "),
    saveFile: () => undefined,
  });
  stores.freeze.toggle();
  return stores;
}

describe("what passes to a page that stands still (operator-ux U10): answers, no news", () => {
  it("tells what an own action came to while the line was down", async () => {
    const main = scriptedMain();
    const stores = frozen(main);
    await stores.action.open({ kind: "resume", runId: RUN_ID, reason: "the cause is gone" });
    main.operations.set("op-1", operationOf("op-1"));
    await stores.action.execute();
    const phase = (): string | null => {
      const { sent } = stores.action.store.getState();
      return sent && phaseOf(sent);
    };
    expect(phase()).toBe("accepted");
    main.operations.set("op-1", operationOf("op-1", { state: "done", endedAt: READ_AT }));
    stores.freeze.offer({ ...NO_NEWS, resync: true });
    await settled();
    expect(phase()).toBe("done");
  });

  it("tells that somebody waits for consent", async () => {
    const stores = frozen(scriptedMain());
    stores.freeze.offer({ ...NO_NEWS, approvals: true });
    await settled();
    expect(stores.approvals.store.getState().filed.value).toEqual([filed]);
  });

  describe("the mark of 対応中 (operator-ux §1.2)", () => {
    const mark = { name: "佐藤", note: "", account: "sato", at: READ_AT };
    const item = (id: string, change: Partial<AttentionEntry> = {}): AttentionEntry =>
      attentionItem("failed", { id, since: null, facts: [], ...change });
    const picture = (...items: readonly AttentionEntry[]): AttentionPicture => ({
      items,
      total: items.length,
      sources: [],
      calm: false,
      judgedAt: READ_AT,
    });
    const marks = (stores: Stores) =>
      stores.attention.store
        .getState()
        .shown.rows.map(({ item: { id, acknowledged } }) => [id, acknowledged]);

    it("shows its operator's own, and that it was taken back, but none that others make", async () => {
      const notes = { acknowledge: async () => ok(mark), release: async () => ok(null) };
      const stores = frozen(scriptedMain(), notes);
      stores.attention.take(picture(item("a"), item("b")));
      expect(await stores.notes.acknowledge("a", "佐藤", "")).toBe(true);
      stores.attention.take(picture(item("b", { acknowledged: mark }), item("a", { acknowledged: mark })));
      expect(marks(stores)).toEqual([
        ["a", mark],
        ["b", undefined],
      ]);
      await stores.notes.release("a");
      expect(marks(stores)[0]).toEqual(["a", undefined]);
      stores.freeze.toggle();
      expect(marks(stores)).toEqual([
        ["b", mark],
        ["a", undefined],
      ]);
    });
  });
});
