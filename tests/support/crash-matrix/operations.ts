import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { CrashOperation } from "./operation.ts";
import { poll } from "./poll-operation.ts";
import { bringHome, expectSound, theRun, unlock } from "./recover.ts";
import { type CrashWorld, LATER_MS, NETWORK } from "./world.ts";

const PROFILE = "crash";
const PASSED = { n1: "OK", n2: "OK" };
const FAILED = { n1: "OK", n2: "ASSERT_FAILED" };

const runArgs = (world: CrashWorld, ...more: readonly string[]): readonly string[] => [
  "run-network",
  world.definition,
  "--business-key",
  "k",
  "--json",
  ...more,
];

/** A Run made by this process, not by the one that is killed. */
async function run(world: CrashWorld, endings: Readonly<Record<string, string>>): Promise<string> {
  await world.script(endings);
  const workspace = await world.open();
  try {
    const { runId } = await workspace.orchestrator.runNetwork({
      definitionPath: world.definition,
      businessKey: "k",
      requestedBy: "matrix",
    });
    return runId ?? "";
  } finally {
    await workspace.dispose();
  }
}

async function home(world: CrashWorld): Promise<void> {
  await world.script(PASSED);
  const workspace = await world.open(LATER_MS);
  try {
    await bringHome(workspace, world.definition);
  } finally {
    await workspace.dispose();
  }
}

async function reasonFile(world: CrashWorld): Promise<string> {
  const file = path.join(world.folder, "why.txt");
  await writeFile(file, "crash matrix\n");
  return file;
}

async function runIdOf(world: CrashWorld): Promise<string> {
  const workspace = await world.open();
  try {
    return (await theRun(workspace))?.run?.runId ?? "";
  } finally {
    await workspace.dispose();
  }
}

const newRun: CrashOperation = {
  name: "NEW",
  prepare: (world) => world.script(PASSED),
  args: async (world) => runArgs(world),
  after: home,
};

const resume: CrashOperation = {
  name: "RESUME",
  async prepare(world) {
    await run(world, FAILED);
    await world.script(PASSED);
  },
  args: async (world) => runArgs(world, "--resume"),
  after: home,
};

const rerunFrom: CrashOperation = {
  name: "RERUN_FROM",
  async prepare(world) {
    await run(world, FAILED);
    await world.script(PASSED);
  },
  args: async (world) => runArgs(world, "--resume", "--rerun-from", "n1"),
  after: home,
};

/** A Run that ended FAILED is closed at last, with exactly one audit, whatever the first close came to. */
const close: CrashOperation = {
  name: "CLOSE",
  prepare: async (world) => void (await run(world, FAILED)),
  args: async (world) => [
    ...["archive-run", world.definition, "--run-id", await runIdOf(world)],
    ...["--reason-file", await reasonFile(world)],
  ],
  async after(world) {
    const workspace = await world.open(LATER_MS);
    try {
      await unlock(workspace);
      const before = await theRun(workspace);
      const outcome = await workspace.recovery.archiveRun({
        profile: PROFILE,
        networkId: NETWORK,
        runId: before?.run?.runId ?? "",
        reason: "again",
        requestedBy: "ops1",
        servicePrincipal: "svc",
        seen: null,
      });
      const first = before?.run?.lifecycle === "ARCHIVED";
      expect(outcome.outcome).toBe(first ? "ALREADY_ARCHIVED" : "ARCHIVED");
      expect(outcome.lockReleased).toBe(true);
    } finally {
      await workspace.dispose();
    }
  },
};

/** Decided by the killed process or by the next person, never by both. */
const resolve: CrashOperation = {
  name: "resolve-node",
  prepare: async (world) => void (await run(world, { n1: "OK", n2: "NO_RESULT" })),
  args: async (world) => [
    ...["resolve-node", "--run-id", await runIdOf(world), "--node-id", "n2", "--to", "SUCCESS"],
    ...["--manual-completion", "--reason-file", await reasonFile(world), "--evidence-ref", "INC-1"],
    ...["--stop-confirmed-by", "ops2", "--stop-evidence-ref", "INC-1#2"],
  ],
  after: home,
};

/** A stale lock is released with its audit, or not at all. */
const forceUnlock: CrashOperation = {
  name: "force-unlock",
  offsetMs: LATER_MS,
  async prepare(world) {
    await world.script(PASSED);
    const killed = await world.killAt(runArgs(world), 5, "after-success");
    expect(killed).toBe(true);
  },
  async args(world) {
    const workspace = await world.open(LATER_MS);
    try {
      const lock = await workspace.reads.findLock({ profile: PROFILE, networkId: NETWORK });
      return [
        ...["force-unlock-network", NETWORK, "--profile", PROFILE, "--reason-file", await reasonFile(world)],
        ...["--expected-owner-invocation-id", lock?.ownerInvocationId ?? "", "--evidence-ref", "INC-1"],
        ...["--stop-confirmed-by", "ops2", "--stop-evidence-ref", "INC-1#2", "--stop-method", "local_pid"],
      ];
    } finally {
      await workspace.dispose();
    }
  },
  async after(world) {
    const workspace = await world.open(LATER_MS);
    try {
      await unlock(workspace);
      const graph = await theRun(workspace);
      if (graph !== null) expectSound(graph);
    } finally {
      await workspace.dispose();
    }
    await home(world);
  },
};

export const CRASH_OPERATIONS: readonly CrashOperation[] = [
  newRun,
  resume,
  rerunFrom,
  close,
  resolve,
  forceUnlock,
  poll,
];
