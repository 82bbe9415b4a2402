import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { StopDialog } from "../../../renderer/processes/stop-dialog.tsx";
import { idle } from "../../../renderer/state/load.ts";
import { openStores } from "./open-stores.ts";
import { showBare, standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

describe("why a stop is not under way, as told (operator-ux D8)", () => {
  it.each([
    ["a refusal", "PLAN_STALE", "何も停止していません", "まだ分かりません"],
    ["a lost answer", "CONSOLE_UNREACHABLE", "まだ分かりません", "何も停止していません"],
  ])("%s is told as what it is", async (_, code, told, never) => {
    const stores = openStores();
    const problem = { code, message: "m" };
    const order = { pid: 8812, processStart: null, reason: "it hangs", typed: "8812", operationId: "op-1" };
    stores.processes.store.setState({ stop: { ...order, plan: idle, sending: false, problem } });
    await showBare(stores, <StopDialog />);
    const text = screen.getByTestId("send-refused").textContent;
    expect(text).toContain(told);
    expect(text).not.toContain(never);
  });
});
