import { cleanup, fireEvent, render } from "@testing-library/react";
import { I18nextProvider } from "react-i18next";
import { afterEach, describe, expect, it } from "vitest";
import { LongText } from "../../../renderer/components/long-text.tsx";
import { StoresProvider } from "../../../renderer/state/context.tsx";
import { createStores } from "../../../renderer/state/stores.ts";
import { createTexts } from "../../../renderer/text/i18n.ts";
import { createClient } from "../../../shared/api/index.ts";

afterEach(cleanup);

/** Stores over a line nobody calls: the text needs only the window's language. */
function silentStores() {
  return createStores({
    api: createClient(() => ({
      post: () => undefined,
      onMessage: () => undefined,
      onClose: () => undefined,
    })),
    storage: { getItem: () => null, setItem: () => undefined },
    systemLanguage: "ja",
    operationId: () => "00000000-0000-4000-8000-000000000000",
    later: () => () => undefined,
    summarise: (messages) => String(messages.length),
    saveFile: () => undefined,
  });
}

async function show(text: string): Promise<HTMLElement> {
  const texts = await createTexts("ja");
  return render(
    <I18nextProvider i18n={texts}>
      <StoresProvider value={silentStores()}>
        <LongText text={text} />
      </StoresProvider>
    </I18nextProvider>,
  ).container;
}

describe("foreign text of any length (operator-ux §3.2, electron-desktop R7)", () => {
  it("shows the beginning of a megabyte and more of it when asked", async () => {
    const text = `<script>alert(1)</script>${"x".repeat(1_000_000)}`;
    const container = await show(text);
    const shown = (): number => container.querySelector("pre")?.textContent.length ?? 0;
    expect(container.querySelector("script")).toBeNull();
    expect(container.textContent).toContain("<script>alert(1)</script>");
    const first = shown();
    expect(first).toBeLessThan(10_000);
    fireEvent.click(container.querySelector("button") ?? container);
    expect(shown()).toBeGreaterThan(first);
    expect(shown()).toBeLessThan(text.length);
  });

  it("shows a short text whole, without a button, and what would turn it round as a mark", async () => {
    const container = await show("a\u202Eb");
    expect(container.querySelector("pre")?.textContent).toBe("aU+202Eb");
    expect(container.querySelector("button")).toBeNull();
  });
});
