import { cleanup, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { I18nextProvider } from "react-i18next";
import { afterEach, describe, expect, it } from "vitest";
import { ProblemPanel } from "../../../renderer/components/problem.tsx";
import { ActivityBadge, NodeStatusBadge, RunStatusBadge } from "../../../renderer/components/status.tsx";
import { ForeignText } from "../../../renderer/components/text.tsx";
import { createTexts } from "../../../renderer/text/i18n.ts";
import { ACTIVITIES, NODE_STATUSES, RUN_STATUSES } from "../../../shared/domain/model.ts";

afterEach(cleanup);

async function show(element: ReactElement, language: "ja" | "en" = "ja"): Promise<HTMLElement> {
  const texts = await createTexts(language);
  return render(<I18nextProvider i18n={texts}>{element}</I18nextProvider>).container;
}

const glyphs = (container: HTMLElement): string[] =>
  [...container.querySelectorAll("[data-glyph]")].map((each) => each.getAttribute("data-glyph") ?? "");

describe("statuses on screen (operator-ux §4, 1.4.1)", () => {
  it("gives every status of a node a shape and a word of its own", async () => {
    const container = await show(
      <div>
        {NODE_STATUSES.map((status) => (
          <NodeStatusBadge key={status} status={status} />
        ))}
      </div>,
    );
    expect(new Set(glyphs(container)).size).toBe(NODE_STATUSES.length);
    const words = [...(container.firstElementChild?.children ?? [])].map((each) => each.textContent);
    expect(new Set(words).size).toBe(NODE_STATUSES.length);
    expect(words).toContain("結果不明");
  });

  it("gives every status of a Run and every activity a shape and a word of its own", async () => {
    const container = await show(
      <>
        {RUN_STATUSES.map((status) => (
          <RunStatusBadge key={status} status={status} withCode />
        ))}
        {ACTIVITIES.map((activity) => (
          <ActivityBadge key={activity} activity={activity} />
        ))}
      </>,
    );
    expect(new Set(glyphs(container).slice(0, RUN_STATUSES.length)).size).toBe(RUN_STATUSES.length);
    expect(new Set(glyphs(container).slice(RUN_STATUSES.length)).size).toBe(ACTIVITIES.length);
    expect(container.textContent).toContain("未完了(RUNNING)");
    expect(container.textContent).not.toContain("実行中");
  });
});

describe("problems on screen (operator-ux §5.1)", () => {
  it("tells cause, effect and next step of a known code in the window's language", async () => {
    const problem = { code: "STORE_UNREACHABLE", message: "connect ECONNREFUSED" };
    const container = await show(<ProblemPanel problem={problem} />);
    expect(screen.getByRole("alert").textContent).toContain("kintone に接続できません。");
    expect(container.querySelector("details")?.open).toBe(false);
    cleanup();
    await show(<ProblemPanel problem={problem} />, "en");
    expect(screen.getByRole("alert").textContent).toContain("kintone cannot be reached.");
  });

  it("opens the details of a code it has no words for, place and message as they came", async () => {
    const problem = { code: "NEW_CODE", message: "what happened", place: "file.yaml:3" };
    const container = await show(<ProblemPanel problem={problem} />);
    expect(container.querySelector("details")?.open).toBe(true);
    for (const text of ["NEW_CODE", "what happened", "file.yaml:3"]) {
      expect(container.textContent).toContain(text);
    }
  });

  it("names what moved since a preview was confirmed (operator-ux D6)", async () => {
    const problem = { code: "PREVIEW_STALE", message: "m", details: { changed: ["plan", "<b>", "run"] } };
    const container = await show(<ProblemPanel problem={problem} />);
    expect(container.textContent).toContain("変わったもの: ノードの構成, 同じ業務キーの Run");
  });
});

describe("foreign text on screen (electron-desktop R7)", () => {
  it("is text, whatever it looks like", async () => {
    const container = await show(<ForeignText text={"<img src=x onerror=alert(1)>\u202E"} />);
    expect(container.querySelector("img")).toBeNull();
    expect(container.textContent).toBe("<img src=x onerror=alert(1)>U+202E");
  });
});
