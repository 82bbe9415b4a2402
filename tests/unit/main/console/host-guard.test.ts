import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname, tmpdir, userInfo } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endpointName, takeHostGuard } from "../../../../main/console/host-guard/index.ts";
import { judgeRecord } from "../../../../main/console/host-guard/judge.ts";
import { type ResidentOwner, recordPath } from "../../../../main/console/host-guard/record.ts";
import { createInspector, type Liveness } from "../../../../main/process/index.ts";

const HOLDER = path.resolve(import.meta.dirname, "..", "..", "..", "support", "hold-guard.ts");
let folder = "";
const children: ChildProcessWithoutNullStreams[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "guard-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = child.exitCode !== null || child.signalCode !== null ? null : once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

/** A resident in a process of its own, and the first line it says. */
async function holder(front = "serve"): Promise<{ child: ChildProcessWithoutNullStreams; said: string }> {
  const child = spawn(process.execPath, [HOLDER, folder, front]);
  children.push(child);
  const [line] = await once(child.stdout, "data");
  return { child, said: String(line).trim() };
}

const record = () => recordPath(folder, hostname());

describe("one resident per data folder and host (decisions §2)", () => {
  it("refuses the second with who holds it, whichever way the folder is named", async () => {
    const { child, said } = await holder("page");
    expect(said).toBe("held after nobody");
    const link = path.join(folder, "..", `${path.basename(folder)}-link`);
    await symlink(folder, link);
    try {
      for (const dataDir of [folder, link, `${folder}/.`]) {
        await expect(takeHostGuard({ dataDir, front: "serve" })).rejects.toMatchObject({
          code: "RESIDENT_ALREADY_RUNNING",
          problem: {
            place: dataDir,
            details: { owner: { front: "page", pid: child.pid, account: userInfo().username } },
          },
        });
      }
    } finally {
      await rm(link);
    }
    child.stdin.end();
    await once(child, "exit");
    expect(await readdir(folder)).toEqual([]);
    const guard = await takeHostGuard({ dataDir: folder, front: "serve" });
    expect(guard.takenOverFrom).toBeNull();
    await guard.dispose();
  });

  it("of many that start at once exactly one holds it", async () => {
    const said = (await Promise.all([holder(), holder(), holder()])).map((each) => each.said);
    expect(said.toSorted()).toEqual([
      "RESIDENT_ALREADY_RUNNING",
      "RESIDENT_ALREADY_RUNNING",
      "held after nobody",
    ]);
  });

  it("a killed owner blocks nobody: its record is proven dead by PID and creation time", async () => {
    const { child } = await holder();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(JSON.parse(await readFile(record(), "utf8"))).toMatchObject({ process: { pid: child.pid } });
    const guard = await takeHostGuard({ dataDir: folder, front: "desktop" });
    expect(guard.takenOverFrom?.process.pid).toBe(child.pid);
    expect(JSON.parse(await readFile(record(), "utf8"))).toEqual(guard.owner);
    await guard.dispose();
  });

  it("a living owner is believed even where its name cannot be seen", async () => {
    const { child } = await holder();
    const text = await readFile(record(), "utf8");
    const other = path.join(folder, "copy");
    await mkdir(other);
    await writeFile(recordPath(other, hostname()), text);
    await expect(takeHostGuard({ dataDir: other, front: "serve" })).rejects.toMatchObject({
      code: "RESIDENT_ALREADY_RUNNING",
      problem: { details: { owner: { pid: child.pid } } },
    });
    // The refused one holds nothing: once the record is gone the folder is free.
    await rm(recordPath(other, hostname()));
    await (await takeHostGuard({ dataDir: other, front: "serve" })).dispose();
  });

  it("refuses when it cannot tell, and says what to do", async () => {
    await writeFile(record(), '{"kind":"FLOWNET_RESIDENT","formatVersion":2}');
    await expect(takeHostGuard({ dataDir: folder, front: "serve" })).rejects.toMatchObject({
      code: "RESIDENT_OWNER_UNKNOWN",
      problem: { place: record(), remedy: expect.stringContaining("remove this file") },
    });
  });

  it("refuses a holder that says nothing sensible", async () => {
    const name = endpointName(folder);
    const server = createServer((socket) => socket.end("who knows\n"));
    server.listen(name);
    await once(server, "listening");
    try {
      await expect(takeHostGuard({ dataDir: folder, front: "serve" })).rejects.toMatchObject({
        code: "RESIDENT_ALREADY_RUNNING",
        problem: { details: { owner: null } },
      });
    } finally {
      server.close();
      await once(server, "close");
    }
  });

  it("holds no process alive by itself", async () => {
    const script = `const { takeHostGuard } = await import(${JSON.stringify(
      path.resolve(import.meta.dirname, "../../../../main/console/host-guard/index.ts"),
    )}); await takeHostGuard({ dataDir: ${JSON.stringify(folder)}, front: "serve" });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });
});

describe("what a left record means (decisions §3)", () => {
  const owner: ResidentOwner = {
    kind: "FLOWNET_RESIDENT",
    formatVersion: 1,
    host: "HOST-A",
    bootId: "boot-1",
    account: "ops",
    front: "serve",
    since: "2026-09-01T00:00:00.000Z",
    process: { pid: 4321, processStart: "2026-09-01T00:00:00.000Z", image: "/usr/bin/node" },
  };
  const facts = { host: "HOST-A", bootId: "boot-1" };
  const told = (liveness: Liveness) => ({ liveness: () => liveness });
  const found = { pid: 4321, processStart: "2026-09-02T00:00:00.000Z", image: null };
  it.each<[string, Liveness, string]>([
    ["gone", { kind: "gone" }, "dead"],
    ["reused by another", { kind: "alive-another", found }, "dead"],
    ["alive", { kind: "alive-ours" }, "alive"],
    ["not to be looked at", { kind: "cannot-tell", reason: "access denied" }, "cannot-tell"],
  ])("a process that is %s", (_name, liveness, kind) => {
    expect(judgeRecord({ kind: "owner", owner }, facts, 1, told(liveness)).kind).toBe(kind);
  });

  it("of another boot, or of our own number while the name is ours, is dead", () => {
    const alive = told({ kind: "alive-ours" });
    expect(judgeRecord({ kind: "owner", owner }, { ...facts, bootId: "boot-2" }, 1, alive).kind).toBe("dead");
    expect(judgeRecord({ kind: "owner", owner }, facts, 4321, alive).kind).toBe("dead");
    // Without boot ids no two boots are called different.
    expect(judgeRecord({ kind: "owner", owner }, { ...facts, bootId: null }, 1, alive).kind).toBe("alive");
    expect(createInspector().identify(process.pid)?.processStart).toEqual(expect.any(String));
  });
});
