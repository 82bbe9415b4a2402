import { expect, test } from "./support/console-test.ts";

test("The page's policy stops foreign code and foreign places (electron-desktop R3)", async ({
  flownet,
  page,
}) => {
  await page.goto(flownet.link);
  await expect(page.getByRole("heading", { name: "要対応" })).toBeVisible();
  const tried = await page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      violations.push(event.effectiveDirective),
    );
    const outcome = async (work: () => unknown): Promise<string> => {
      try {
        await work();
        return "done";
      } catch (error) {
        return error instanceof Error ? error.name : "thrown";
      }
    };
    const away = await outcome(() => fetch("https://example.com/"));
    const html = await outcome(() => {
      document.createElement("div").innerHTML = "<img src=x>";
    });
    const socket = await outcome(() => new WebSocket("ws://127.0.0.1:1/"));
    const frame = document.createElement("iframe");
    frame.src = "https://example.com/";
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener("load", resolve));
    return { away, html, socket, violations };
  });
  expect(tried).toMatchObject({ away: "TypeError", html: "TypeError" });
  for (const directive of ["connect-src", "require-trusted-types-for", "frame-src"]) {
    expect(tried.violations.join(" ")).toContain(directive);
  }
});

test("A console that ends leaves a page that says so and dims (operator-ux §1.1, staleness)", async ({
  flownet,
  page,
}) => {
  await page.goto(flownet.link);
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
  // The code of the other pages comes beside the first one; a console that ends before that leaves none of them.
  await page.waitForLoadState("networkidle");
  await flownet.stop();
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "lost");
  await expect(page.getByText("コンソール本体からの更新が届いていません。")).toBeVisible();
  await page.getByRole("link", { name: "Run の起動" }).click();
  await expect(page.getByRole("heading", { name: "Run の起動" })).toBeVisible();
  await expect(page.getByText("表示の更新", { exact: true })).toBeVisible();
});
