import { act } from "@testing-library/react";
import { type ReactNode, useRef } from "react";
import { useKeptFocus } from "../../../renderer/components/kept-focus.ts";
import type { Stores } from "../../../renderer/state/stores.ts";
import { showBare } from "./shown-window.tsx";

function Frame({ children }: { readonly children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useKeptFocus(root);
  return (
    <div ref={root}>
      <main tabIndex={-1}>{children}</main>
    </div>
  );
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
