import { expect, expectSuccess, openedPage, startRun, test } from "./support/desktop-test.ts";

test("The bundle Electron starts works as its sources do, children included (toolchain §8)", async ({
  startHost,
}) => {
  const desktop = startHost({ built: true });
  const page = await openedPage(desktop);
  await startRun(desktop, page);
  await page.getByRole("button", { name: "Run を開く" }).click();
  await expectSuccess(page);
  // The Run is over for the page before it is for the console, which would still ask.
  await expect.poll(async () => (await desktop.state()).awake).toBe(0);
  expect(desktop.log()).toBe("");
  await desktop.menu("quit");
  expect(await desktop.exited).toBe(0);
});

test("An error nobody foresaw is said, and the program ends in order with code 1 (electron-desktop L10)", async ({
  startHost,
}) => {
  const desktop = startHost();
  await openedPage(desktop);
  await desktop.command({ kind: "fault", message: "injected for the test" });
  expect(await desktop.exited).toBe(1);
  expect(desktop.log()).toContain("fault: Error: injected for the test");
  const next = startHost();
  await openedPage(next);
  await expect
    .poll(async () => (await next.state()).questions.map(({ title }) => title))
    .toEqual(["前回の終了"]);
});
