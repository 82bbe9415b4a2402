import { FluentProvider } from "@fluentui/react-components";
import { cleanup, render, screen } from "@testing-library/react";
import { I18nextProvider } from "react-i18next";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { lightTheme } from "../../../renderer/app/theme.ts";
import { StopDialog } from "../../../renderer/processes/stop-dialog.tsx";
import { StoresProvider } from "../../../renderer/state/context.tsx";
import { idle } from "../../../renderer/state/load.ts";
import { createTexts } from "../../../renderer/text/i18n.ts";
import { openStores } from "./open-stores.ts";

afterEach(cleanup);
beforeAll(() => {
  // jsdom lays nothing out and opens no sheet.
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
  };
});

describe("why a stop is not under way, as told (operator-ux D8)", () => {
  it.each([
    ["a refusal", "PLAN_STALE", "何も停止していません", "まだ分かりません"],
    ["a lost answer", "CONSOLE_UNREACHABLE", "まだ分かりません", "何も停止していません"],
  ])("%s is told as what it is", async (_, code, told, never) => {
    const stores = openStores();
    const problem = { code, message: "m" };
    const order = { pid: 8812, processStart: null, reason: "it hangs", typed: "8812", operationId: "op-1" };
    stores.processes.store.setState({ stop: { ...order, plan: idle, sending: false, problem } });
    render(
      <FluentProvider theme={lightTheme}>
        <I18nextProvider i18n={await createTexts("ja")}>
          <StoresProvider value={stores}>
            <StopDialog />
          </StoresProvider>
        </I18nextProvider>
      </FluentProvider>,
    );
    const text = screen.getByTestId("send-refused").textContent;
    expect(text).toContain(told);
    expect(text).not.toContain(never);
  });
});
