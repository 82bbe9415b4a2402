import assert from "node:assert/strict";
import { closeSync, copyFileSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { removeLocked, renameLocked, retryWhileLocked } from "../../main/process/index.ts";
import { lazyNative, wide } from "../../main/process/windows/native.ts";
import { benchFor, onWindows } from "./support.ts";

/** Opens a file as a virus scanner does: for itself alone. Returns what lets it go. */
function hold(path: string): () => void {
  if (!onWindows) {
    const descriptor = openSync(path, "r+");
    return () => closeSync(descriptor);
  }
  const loaded = lazyNative()();
  if (loaded.kind !== "loaded") assert.fail(loaded.reason);
  const { call } = loaded.native;
  const handle = call.CreateFileW(wide(path), 0x8000_0000, 0, null, 3, 0x80, 0n);
  assert.notEqual(handle, -1n);
  return () => void call.CloseHandle(handle);
}

const failing = (code: string, times: number) => {
  let calls = 0;
  return {
    calls: () => calls,
    action: async (): Promise<string> => {
      calls++;
      if (calls <= times) throw Object.assign(new Error(code), { code });
      return "done";
    },
  };
};

describe("files that somebody holds for a moment (electron-desktop §4 C8)", () => {
  it("are tried again a bounded number of times, and at once never for another reason", async () => {
    const waitsMs = [1, 1, 1];
    const passing = failing("EBUSY", 2);
    assert.equal(await retryWhileLocked(passing.action, { waitsMs }), "done");
    const staying = failing("EPERM", 99);
    await assert.rejects(retryWhileLocked(staying.action, { waitsMs }), { code: "EPERM" });
    assert.equal(staying.calls(), 4);
    const other = failing("ENOSPC", 99);
    await assert.rejects(retryWhileLocked(other.action, { waitsMs }), { code: "ENOSPC" });
    assert.equal(other.calls(), 1);
    const aborted = failing("EBUSY", 99);
    const signal = AbortSignal.abort();
    await assert.rejects(retryWhileLocked(aborted.action, { waitsMs: [600_000], signal }), { code: "EBUSY" });
  });

  it("are renamed and removed as soon as they are let go", async (test) => {
    const bench = benchFor(test);
    const [from, to] = [bench.path("from"), bench.path("to")];
    writeFileSync(from, "new");
    writeFileSync(to, "old");
    const letGo = hold(from);
    const renamed = renameLocked(from, to);
    setTimeout(letGo, 120);
    await renamed;
    assert.equal(existsSync(from), false);
    const again = hold(to);
    const removed = removeLocked(to);
    setTimeout(again, 120);
    await removed;
    assert.equal(existsSync(to), false);
  });

  it("hold up the start of a program only as long as they are held", async (test) => {
    const bench = benchFor(test);
    const small = onWindows
      ? join(process.env.SystemRoot ?? "", "System32", "hostname.exe")
      : "/usr/bin/true";
    const command = bench.path(onWindows ? "held program.exe" : "held program");
    copyFileSync(small, command);
    const letGo = hold(command);
    const starting = bench.manager.start(bench.spec([], { command, args: [] }));
    setTimeout(letGo, 120);
    const outcome = await starting;
    if (outcome.kind !== "started") assert.fail(outcome.message);
    assert.equal((await outcome.child.exited).exitCode, 0);
  });
});
