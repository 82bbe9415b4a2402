import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectSuccess, openedPage, startRun, test } from "./support/desktop-test.ts";
import type { DesktopUnderTest } from "./support/driver.ts";

const STOP = 0;
const TRAY = 1;
const LEAVE = 2;

/** Whether the marker of a start is there. */
function marked(folder: string): boolean {
  const base = join(folder, "account", "FlowNetConsole");
  return readdirSync(base).some((name) => existsSync(join(base, name, "running.json")));
}

const awake = (desktop: DesktopUnderTest) => expect.poll(async () => (await desktop.state()).awake);
const pending = (desktop: DesktopUnderTest) => expect.poll(async () => (await desktop.state()).pending);

/** A program whose console executes a Run. */
async function withLiveRun(desktop: DesktopUnderTest) {
  const page = await openedPage(desktop);
  await startRun(desktop, page);
  await awake(desktop).toBe(1);
  return page;
}

test("Quitting with a Run under way asks; in the notification area it goes on to its end (electron-desktop L3, L6)", async ({
  start,
  folder,
}) => {
  const desktop = start();
  const page = await withLiveRun(desktop);
  expect(await desktop.window("close")).toBe(true);
  await pending(desktop).toBe(true);
  const { questions } = await desktop.state();
  expect(questions).toHaveLength(1);
  expect(questions[0]).toMatchObject({ title: "コンソールの終了", preferred: TRAY });
  expect(questions[0]?.message).toContain("1 件");
  await desktop.answer(TRAY);
  await expect.poll(async () => (await desktop.state()).windows[0]?.visible).toBe(false);
  await page.getByRole("button", { name: "Run を開く" }).click();
  await expectSuccess(page);
  await awake(desktop).toBe(0);
  expect(marked(folder)).toBe(true);
  await desktop.menu("quit");
  expect(await desktop.exited).toBe(0);
  expect(marked(folder)).toBe(false);
});

test("Stopping at the boundary ends the program in order (electron-desktop L3)", async ({
  start,
  folder,
}) => {
  const desktop = start();
  await withLiveRun(desktop);
  await desktop.menu("quit");
  await pending(desktop).toBe(true);
  await desktop.answer(STOP);
  expect(await desktop.exited).toBe(0);
  expect(marked(folder)).toBe(false);
});

test("Leaving the children ends the program at once, and the next start says so (electron-desktop L3, L5)", async ({
  start,
  folder,
}) => {
  const desktop = start();
  await withLiveRun(desktop);
  await desktop.menu("quit");
  await pending(desktop).toBe(true);
  await desktop.answer(LEAVE);
  expect(await desktop.exited).toBe(0);
  expect(marked(folder)).toBe(true);
  const next = start();
  await next.page();
  await expect
    .poll(async () => (await next.state()).questions.map(({ title }) => title))
    .toEqual(["前回の終了"]);
});

test("The end of the session waits only for a Run under way, and leaves the marker (electron-desktop L4, L5)", async ({
  start,
  folder,
}) => {
  const idle = start();
  await openedPage(idle);
  expect(await idle.window("query-session-end")).toBe(false);
  await idle.window("session-end");
  expect(await idle.exited).toBe(0);
  expect(marked(folder)).toBe(false);
  const busy = start();
  await withLiveRun(busy);
  expect(await busy.window("query-session-end")).toBe(true);
  await busy.window("session-end");
  expect(await busy.exited).toBe(0);
  expect(marked(folder)).toBe(true);
});

test("A second start hands its link to the first and ends with code 0 (electron-desktop L1, P7)", async ({
  start,
}) => {
  const first = start();
  const page = await openedPage(first);
  const second = start({ arguments: ["flownet-console://start"] });
  expect(await second.exited).toBe(0);
  await expect(page.getByRole("heading", { name: "Run の起動" })).toBeVisible();
  const forged = start({ arguments: ["flownet-console://start/../../runs?x=1"] });
  expect(await forged.exited).toBe(0);
  await expect(page.getByRole("heading", { name: "Run の起動" })).toBeVisible();
  expect((await first.state()).windows).toHaveLength(1);
});

test("A start after a cut power line says what was left behind (electron-desktop L5)", async ({ start }) => {
  const cut = start();
  await openedPage(cut);
  await cut.kill();
  const next = start();
  await next.page();
  await expect
    .poll(async () => (await next.state()).questions.map(({ title }) => title))
    .toEqual(["前回の終了"]);
  await next.power("suspend");
  await next.power("resume");
  await expect((await next.page()).getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
});

test("A console that cannot open says why and ends with code 1 (electron-desktop §5)", async ({
  start,
  folder,
}) => {
  writeFileSync(join(folder, "data"), "a file where the folder should be");
  const desktop = start();
  await pending(desktop).toBe(true);
  const [question] = (await desktop.state()).questions;
  expect(question).toMatchObject({ title: "コンソールを開けません" });
  expect(question?.detail).toContain("DATA_DIR_UNUSABLE");
  expect(question?.detail).toContain(join(folder, "data"));
  await desktop.answer(0);
  expect(await desktop.exited).toBe(1);
  expect(marked(folder)).toBe(false);
});
