import { FluentProvider } from "@fluentui/react-components";
import { act, render } from "@testing-library/react";
import { type ReactNode, useRef } from "react";
import { I18nextProvider } from "react-i18next";
import { lightTheme } from "../../../renderer/app/theme.ts";
import { useKeptFocus } from "../../../renderer/components/kept-focus.ts";
import { StoresProvider } from "../../../renderer/state/context.tsx";
import type { Stores } from "../../../renderer/state/stores.ts";
import { createTexts } from "../../../renderer/text/i18n.ts";

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

function Frame({ children }: { readonly children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useKeptFocus(root);
  return (
    <div ref={root}>
      <main tabIndex={-1}>{children}</main>
    </div>
  );
}

/** What stands in the window, as the window has it. The answer shows another thing in its place. */
export async function showBare(
  stores: Stores,
  shown: ReactNode,
): Promise<(next: ReactNode) => Promise<void>> {
  const texts = await createTexts("ja");
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

/** A page in a frame that keeps the focus. The answer shows another in its place. */
export async function showKept(stores: Stores, page: ReactNode): Promise<(next: ReactNode) => Promise<void>> {
  const show = await showBare(stores, <Frame>{page}</Frame>);
  return (next) => show(<Frame>{next}</Frame>);
}

/** Gives the focus to a control, has it do its work, and says what has the focus afterwards: never the body by itself. */
export async function focusAfter(control: HTMLElement, work: () => void): Promise<Element | null> {
  act(() => control.focus());
  if (document.activeElement !== control) throw new Error("the control took no focus");
  await act(async () => work());
  return document.activeElement;
}
