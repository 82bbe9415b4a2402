import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anyRequest, type FuzzRig, startFuzz, wrongWith } from "../../support/local-kintone/fuzz.ts";

let rig: FuzzRig;
beforeAll(() => {
  rig = startFuzz();
});
afterAll(() => rig.dispose());

it("answers any request without breaking, and shows no other app's record (kintone-rest §2-§13)", async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async (request) => {
      const wrong = wrongWith(await rig.send(request));
      if (wrong !== null) throw new Error(`the answer ${wrong}`, { cause: rig.failures.at(-1) });
    }),
    { seed: 20_260_901, numRuns: 4_000 },
  );
  expect(rig.failures).toEqual([]);
});
