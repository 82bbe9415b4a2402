import { expect, openedPage, test } from "./support/desktop-test.ts";

const OWN = "app://ui/index.html";
const call = (path: string, id = "1"): { readonly data: string } => ({
  data: JSON.stringify({ i: id, p: { u: path, b: { json: {} } } }),
});

test("Messages from elsewhere than our page's main frame are refused, and so is what is no call (electron-desktop I2, I3)", async ({
  startHost,
}) => {
  const desktop = startHost();
  await openedPage(desktop);
  const forged = {
    kind: "forge",
    frameUrl: OWN,
    sub: false,
    foreignWindow: false,
    message: call("/runs/list"),
  } as const;
  const refusals: readonly (readonly [string, Partial<typeof forged> | object])[] = [
    ["sub-frame", { sub: true }],
    ["foreign-url", { frameUrl: "https://example.com/" }],
    ["foreign-url", { frameUrl: "app://ui.example/index.html" }],
    ["foreign-url", { frameUrl: "file:///etc/passwd" }],
    ["no-frame", { frameUrl: null }],
    ["unknown-window", { foreignWindow: true }],
    ["malformed", { message: { data: `{"i":"1","p":{"u":"/x","b":"${"x".repeat(1024 * 1024)}"}}` } }],
    ["malformed", { message: { data: "not json" } }],
    ["malformed", { message: { data: `{"i":"1","p":{"u":"https://example.com/","b":{}}}` } }],
    ["malformed", { message: call("/runs/list").data }],
    ["malformed", { message: { ...call("/runs/list"), channel: "other" } }],
    ["malformed", { message: null }],
  ];
  for (const [index, [, change]] of refusals.entries()) {
    await desktop.command({ ...forged, ...change });
    const expected = refusals.slice(0, index + 1).map(([reason]) => `desktop: message refused: ${reason}`);
    await expect.poll(() => desktop.log().trim().split("\n")).toEqual(expected);
  }
});

test("A procedure that is none is answered as not found, and the line goes on (electron-desktop I1)", async ({
  startHost,
}) => {
  const desktop = startHost();
  const page = await openedPage(desktop);
  const ask = (path: string, id: string): Promise<string> =>
    page.evaluate(`new Promise((resolve) => {
      flownetLine.onMessage((text) => { const answer = JSON.parse(text); if (answer.i === ${JSON.stringify(id)}) resolve(JSON.stringify(answer)); });
      flownetLine.post(${JSON.stringify(call(path, id).data)});
    })`);
  expect(JSON.parse(await ask("/runs/deleteEverything", "forged-1"))).toMatchObject({ p: { s: 404 } });
  expect(JSON.parse(await ask("/workspace/get", "forged-2"))).toMatchObject({
    p: { b: { json: { ok: true } } },
  });
  expect(desktop.log()).toBe("");
});

test("Every permission but writing copied text is denied (electron-desktop R4)", async ({ startHost }) => {
  const desktop = startHost();
  await desktop.page();
  const decided = async (permission: string) => desktop.command({ kind: "permission", permission });
  for (const permission of ["notifications", "geolocation", "media", "clipboard-read", "usb", "fullscreen"]) {
    expect(await decided(permission)).toEqual([false, false]);
  }
  expect(await decided("clipboard-sanitized-write")).toEqual([true, true]);
});

test("A page that is gone comes back with the same view; at the third time the safe page stands (electron-desktop L9)", async ({
  startHost,
}) => {
  const desktop = startHost();
  const page = await openedPage(desktop);
  await desktop.menu("go.start");
  const form = page.getByRole("heading", { name: "Run の起動" });
  for (let crash = 1; crash <= 2; crash++) {
    await expect(form).toBeVisible();
    await page.evaluate("document.title = 'before the crash'");
    await desktop.command({ kind: "page-gone", reason: "crashed" });
    await expect(page).toHaveTitle(/Run の起動/);
    await expect(page.getByTestId("freshness")).toHaveAttribute("data-staleness", "fresh");
  }
  await desktop.command({ kind: "page-gone", reason: "crashed" });
  await expect(page.getByRole("heading", { name: "画面を表示できません" })).toBeVisible();
  await desktop.menu("reload");
  await openedPage(desktop);
});
