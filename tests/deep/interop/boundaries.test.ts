import { afterAll, beforeAll, expect, it } from "vitest";
import { boundaries, boundaryName, crossAt } from "../../support/interop/boundaries.ts";
import { openScriptedRig, type ScriptedRig } from "../../support/interop/scripted-rig.ts";

let rig: ScriptedRig;
beforeAll(async () => {
  rig = await openScriptedRig();
});
afterAll(() => rig.dispose());

it("either program ends what the other was killed in, at every write (orchestration section 2.3)", async () => {
  const all = await boundaries(rig);
  const failures: string[] = [];
  for (const [index, boundary] of all.entries()) {
    try {
      await crossAt(rig, boundary, `n${index}`);
    } catch (error) {
      failures.push(`${boundaryName(boundary)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`peer in the loop: ${all.length} boundaries`);
  expect(failures).toEqual([]);
});
