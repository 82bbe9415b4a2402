import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { benchFor, fact, onWindows } from "./support.ts";

const withToken = () => ({ env: { FLOWNET_ATTEMPT_ID: `attempt-${randomUUID()}` } });

describe("the tree of an attempt (electron-desktop §4 C4)", () => {
  it("holds a detached grandchild whose parent has ended", async (test) => {
    const bench = benchFor(test);
    const options = withToken();
    const child = await bench.started(bench.spec(["family", bench.path("grandchild")], options));
    const grandchild = await bench.identityIn(bench.path("grandchild"));
    const parentEnded = (): boolean => {
      const parentPid = bench.inspector.details(grandchild.pid)?.parentPid ?? 0;
      return parentPid <= 1 || bench.inspector.identify(parentPid) === null;
    };
    await fact("the one between has ended", parentEnded);
    // On Windows the job object alone leads to it, elsewhere the token in its environment.
    const token = onWindows ? null : options.env.FLOWNET_ATTEMPT_ID;
    const { members, incomplete } = bench.inspector.tree(child.identity, token);
    assert.equal(incomplete, null);
    // Under Wine the host of the hidden console is a member, too.
    const known = members.filter(({ image }) => !/conhost\.exe$/i.test(image ?? ""));
    assert.deepEqual(known, [grandchild]);
  });

  it("is ended as a whole, also who ignores everything and lost its parent", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["family", bench.path("grandchild")], withToken()));
    const grandchild = await bench.identityIn(bench.path("grandchild"));
    assert.deepEqual(bench.inspector.liveness(grandchild), { kind: "alive-ours" });
    const facts = await child.stop({ graceMs: 1_000 });
    assert.deepEqual(facts.gone, { kind: "proven" });
    assert.equal(facts.forced, true);
    assert.equal(facts.settled?.forced, true);
    assert.deepEqual(bench.inspector.liveness(grandchild), { kind: "gone" });
    assert.deepEqual(bench.inspector.liveness(child.identity), { kind: "gone" });
  });

  it("is ended also after its root has ended by itself and left it behind", async (test) => {
    const bench = benchFor(test);
    const child = await bench.started(bench.spec(["deserter", bench.path("grandchild")], withToken()));
    assert.equal((await child.exited).exitCode, 0);
    const grandchild = await bench.identityIn(bench.path("grandchild"));
    const facts = await child.stop({ graceMs: 20_000 });
    assert.equal(facts.requested, "needless");
    assert.equal(facts.forced, true);
    assert.deepEqual(facts.gone, { kind: "proven" });
    assert.equal(facts.settled?.forced, false);
    assert.deepEqual(bench.inspector.liveness(grandchild), { kind: "gone" });
  });
});
