import { expect, test } from "./support/desktop-test.ts";

test("The window opens on the list of Runs over the preload's line, in our scheme (electron-desktop R2)", async ({
  start,
}) => {
  const desktop = start();
  const page = await desktop.page();
  await expect(page.getByRole("heading", { name: "Run 一覧" })).toBeVisible();
  await expect(page.getByText("Run はまだありません。")).toBeVisible();
  const { windows } = await desktop.state();
  expect(windows).toHaveLength(1);
  expect(windows[0]).toMatchObject({ visible: true });
  expect(windows[0]?.url).toMatch(/^app:\/\/ui\/index\.html/);
  expect(desktop.log()).toBe("");
});
