import { spawnSync } from "node:child_process";
import { access } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { flownet, ROOT, serve, temporaryFolder } from "./support.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  // The pages are built by the step before this one; alone, this file builds them itself.
  const built = await exists(join(ROOT, "build", "renderer", "index.html"));
  if (built) return;
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  expect(spawnSync(process.execPath, [vite, "build"], { cwd: ROOT }).status).toBe(0);
});
beforeEach(async () => {
  await folder?.remove();
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
const serverFile = () => join(folder.path, "kintone", "server.json");

describe("flownet start (decisions section 2)", () => {
  it("says which front and why, prints a link that works once, and Ctrl+C ends everything it started", async () => {
    const console = serve(["start", "--no-open", "--data-dir", folder.path]);
    expect(await console.nextLine()).toMatch(/^Front: a page in the browser \(.+\)\.$/);
    expect(await console.nextLine()).toBe(
      `Workspace: the embedded workspace in ${folder.path}, profile local`,
    );
    const link = (await console.nextLine())?.replace("Open: ", "") ?? "";
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
    const first = await fetch(link, { redirect: "manual" });
    expect(first.status).toBe(303);
    expect((await fetch(link, { redirect: "manual" })).status).toBe(401);
    expect(await exists(serverFile())).toBe(true);

    expect(await console.stop()).toBe(0);
    expect(console.stderr()).toMatch(/^Stopping the console; .*\n$/);
    await expect(fetch(link)).rejects.toThrow();
    await expect.poll(() => exists(serverFile()), { timeout: 20_000 }).toBe(false);
  });

  it("refuses a busy port and leaves nothing running", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const result = await flownet(["start", "--no-open", "--port", String(port), "--data-dir", folder.path]);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain(`Error [PORT_BUSY]: `);
      expect(result.stderr).toContain(`\n  at: 127.0.0.1:${port}\n  do: `);
      await expect.poll(() => exists(serverFile()), { timeout: 20_000 }).toBe(false);
    } finally {
      blocker.close();
    }
  });

  it.each(["65536", "-1", "http", ""])("refuses %j as a port before anything is started", async (port) => {
    const result = await flownet(["start", "--no-open", "--port", port, "--data-dir", folder.path]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("Error [INVALID_ARGUMENTS]: Not a port: ");
    expect(await exists(serverFile())).toBe(false);
  });
});
