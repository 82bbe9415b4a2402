import {
  collectComplaints,
  expect,
  expectSuccess,
  openedPage,
  startRun,
  test,
} from "./support/desktop-test.ts";

test("The window opens on the list of Runs, and a Run started in it reaches success (architecture §4, electron-desktop R2)", async ({
  start,
}) => {
  const desktop = start();
  const page = await openedPage(desktop);
  const complaints = collectComplaints(page);
  await expect
    .poll(async () => (await desktop.state()).windows.map(({ visible }) => visible))
    .toEqual([true]);
  const { windows, menu } = await desktop.state();
  expect(windows[0]?.url).toMatch(/^app:\/\/ui\/index\.html/);
  expect(menu[0]).toBe("ファイル(&F)");
  await startRun(desktop, page);
  await page.getByRole("button", { name: "Run を開く" }).click();
  await expectSuccess(page);
  await desktop.menu("go.runs");
  await expect(page.getByRole("heading", { name: "Run 一覧" })).toBeVisible();
  await expect(page.getByRole("row", { name: /monthly_summary@2026-09/ })).toContainText("成功");
  expect(complaints).toEqual([]);
  expect(desktop.log()).toBe("");
});

test("A page has the line's two functions and nothing of Node or Electron (electron-desktop R1, I1)", async ({
  start,
}) => {
  const page = await openedPage(start());
  const seen = await page.evaluate(`({
    line: Object.keys(flownetLine).sort(),
    kinds: Object.values(flownetLine).map((each) => typeof each),
    frozen: Object.isFrozen(flownetLine),
    globals: ["require", "process", "Buffer", "module", "ipcRenderer"].filter((name) => name in globalThis),
  })`);
  expect(seen).toEqual({
    line: ["onMessage", "post"],
    kinds: ["function", "function"],
    frozen: true,
    globals: [],
  });
});

test("The policy stops foreign code and places; no page and no window leads away (electron-desktop R3, R5, R6)", async ({
  start,
}) => {
  const desktop = start();
  const page = await openedPage(desktop);
  const tried = await page.evaluate(`(async () => {
    const violations = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    const outcome = async (work) => {
      try { await work(); return "done"; } catch (error) { return error.name; }
    };
    const script = document.createElement("script");
    const inline = await outcome(() => { script.textContent = "globalThis.ran = true"; document.body.append(script); });
    const handler = await outcome(() => document.createElement("img").setAttribute("onerror", "globalThis.ran = true"));
    const away = await outcome(() => fetch("https://example.com/"));
    const own = await outcome(() => fetch("index.html"));
    const html = await outcome(() => { document.createElement("div").innerHTML = "<b>x</b>"; });
    window.open("https://example.com/");
    const frame = document.createElement("iframe");
    frame.src = "https://example.com/";
    document.body.append(frame);
    while (!violations.includes("frame-src")) {
      await new Promise((resolve) => document.addEventListener("securitypolicyviolation", resolve, { once: true }));
    }
    return { inline, handler, away, own, html, ran: globalThis.ran === true, violations: [...new Set(violations)].sort() };
  })()`);
  const refused = { inline: "TypeError", handler: "TypeError", html: "TypeError" };
  expect(tried).toMatchObject({ ...refused, away: "TypeError", own: "TypeError", ran: false });
  expect(tried).toMatchObject({ violations: expect.arrayContaining(["connect-src", "frame-src"]) });
  await expect.poll(() => desktop.log()).toContain("address not opened: host");
  await page.evaluate(`location.href = "https://example.com/away"`);
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement("a"), { href: "https://example.com/", id: "out", textContent: "out" }))`,
  );
  await page.locator("#out").click();
  await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
  const { windows, opened } = await desktop.state();
  expect(windows).toHaveLength(1);
  expect(windows[0]?.url).toMatch(/^app:\/\/ui\/index\.html/);
  expect(opened).toEqual([]);
});
