import { FluentProvider } from "@fluentui/react-components";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { I18nextProvider } from "react-i18next";
import { lightTheme } from "../../../renderer/app/theme.ts";
import { StoresProvider } from "../../../renderer/state/context.tsx";
import type { Stores } from "../../../renderer/state/stores.ts";
import { createTexts, type Language } from "../../../renderer/text/i18n.ts";

/** jsdom lays nothing out, so it watches no size and no sight, and it opens no modal dialog. */
export function standInForLayout(): void {
  class Watcher {
    readonly root = null;
    readonly rootMargin = "";
    readonly scrollMargin = "";
    readonly thresholds = [];
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  }
  globalThis.ResizeObserver ??= Watcher;
  globalThis.IntersectionObserver ??= Watcher;
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
  };
}

/** What stands in the window, as the window has it. The answer shows another thing in its place. */
export async function showBare(
  stores: Stores,
  shown: ReactNode,
  language: Language = "ja",
): Promise<(next: ReactNode) => Promise<void>> {
  const texts = await createTexts(language);
  const inWindow = (each: ReactNode) => (
    <FluentProvider theme={lightTheme}>
      <I18nextProvider i18n={texts}>
        <StoresProvider value={stores}>{each}</StoresProvider>
      </I18nextProvider>
    </FluentProvider>
  );
  const { rerender } = render(inWindow(shown));
  return (next) => act(async () => rerender(inWindow(next)));
}
