import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createConsoleApi, systemClock } from "../../../../../main/console/index.ts";
import { type AttemptFacts, type ConsoleApi, createClient } from "../../../../../shared/api/index.ts";
import { type EmbeddedConsole, openConsole, value } from "../../../../support/console-fixture.ts";
import { portPair } from "../../../../support/port-pair.ts";

const SLOW = 180_000;
const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "..", "..", "examples");

let opened: EmbeddedConsole;
let api: ConsoleApi;
let failed: AttemptFacts;

beforeAll(async () => {
  let runId: string | null = null;
  opened = await openConsole({
    async prepare({ orchestrator }) {
      const result = await orchestrator.runNetwork({
        definitionPath: join(EXAMPLES, "failing-assert", "network.yaml"),
        businessKey: "fail@2026-09",
        requestedBy: "tester",
      });
      runId = result.runId;
    },
  });
  api = opened.api;
  const { attempts } = value(await api.runs.detail({ runId: runId ?? "" }));
  const found = attempts.find(({ status }) => status === "FAILED");
  if (found === undefined) throw new Error("no attempt failed");
  failed = found;
}, SLOW);

afterAll(() => opened.close(), SLOW);

describe("the logs of a real attempt (operator-ux §1.1, §1.3)", () => {
  it("stay after the work folder is gone: what it printed and the runner's events", async () => {
    expect(await readdir(join(opened.dataDir, "work"))).toEqual([]);
    const { attemptId, executionId } = failed;
    const { files } = value(await api.logs.files({ attemptId }));
    expect(files.map(({ name }) => name)).toContain(`${executionId}.jsonl`);
    expect(files.every(({ growing, sizeBytes }) => !growing && sizeBytes > 0)).toBe(true);
    const name = `${executionId}.jsonl`;
    const { lines } = value(await api.logs.tail({ attemptId, name, count: 200 }));
    const events = lines.map(({ text }) => JSON.parse(text));
    expect(events.map(({ event }) => event)).toContain("job_finish");
    expect(events.every((event) => event.attemptId === attemptId)).toBe(true);
    const first = value(await api.logs.range({ attemptId, name, first: 0, count: 1 }));
    expect(first.lines).toEqual(lines.slice(0, 1));
  });

  it("hold no token of the workspace", async () => {
    const tokens = Object.entries(opened.workspace.environment()).filter(([key]) => /TOKEN/.test(key));
    expect(tokens.length).toBeGreaterThan(0);
    const { attemptId } = failed;
    for (const { name } of value(await api.logs.files({ attemptId })).files) {
      const { lines } = value(await api.logs.tail({ attemptId, name, count: 1_000 }));
      const text = lines.map((line) => line.text).join("\n");
      for (const [, token] of tokens) expect(text.includes(token)).toBe(false);
    }
  });

  it("are searched and followed over the line, and left at once", async () => {
    const { attemptId, executionId } = failed;
    const log = { attemptId, name: `${executionId}.jsonl` };
    const kinds: string[] = [];
    const events = await api.logs.search({ ...log, text: "JOB_FINISH", matchCase: false, fromLine: 0 });
    for await (const event of events)
      kinds.push(event.kind === "found" ? `${event.hits.length}` : event.kind);
    expect(kinds).toEqual(["1", "ended"]);
    const states = await api.logs.follow(log);
    const { value: state } = await states.next();
    expect(state).toMatchObject({ complete: true, growing: false, gone: false });
    await states.return();
  });

  it.each(["aborts", "returns"])(
    "end their work on the disk when a reader that waits %s (operator-ux U8)",
    async (how) => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const { logs } = opened.workspace;
      const watched = createConsoleApi({
        workspace: {
          ...opened.workspace,
          logs: {
            ...logs,
            async *follow(log, signal) {
              try {
                yield* logs.follow(log, signal);
              } finally {
                end();
              }
            },
          },
        },
        clock: systemClock,
        random: Math.random,
      });
      const line = portPair();
      watched.serve(line.served);
      const { attemptId, executionId } = failed;
      const leaving = new AbortController();
      const log = { attemptId, name: `${executionId}.jsonl` };
      const states = await createClient(() => line.client).logs.follow(log, { signal: leaving.signal });
      await states.next();
      // Nothing more comes of a settled attempt; the reader leaves while the next word is waited for.
      const waiting = states.next().catch(() => undefined);
      if (how === "aborts") leaving.abort();
      else await states.return();
      await ended;
      await waiting;
      line.close();
      await watched.dispose();
    },
  );

  it("say when there is none, and refuse a name that is none", async () => {
    const { attemptId } = failed;
    const absent = await api.logs.tail({ attemptId: "nobody", name: "stdout.log", count: 1 });
    expect(absent.ok ? null : absent.error.code).toBe("LOG_NOT_FOUND");
    const kinds: string[] = [];
    const search = { attemptId, name: "other.log", text: "x", matchCase: true, fromLine: 0 };
    for await (const event of await api.logs.search(search)) kinds.push(event.kind);
    expect(kinds).toEqual(["refused"]);
    for (const name of ["../stdout.log", "a/b.log", "config.json", "..log"]) {
      await expect(api.logs.tail({ attemptId, name, count: 1 })).rejects.toMatchObject({
        code: "BAD_REQUEST",
      });
    }
    await expect(api.logs.files({ attemptId: "../.." })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const many = { attemptId, name: "stdout.log", first: 0, count: 1_001 };
    await expect(api.logs.range(many)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
