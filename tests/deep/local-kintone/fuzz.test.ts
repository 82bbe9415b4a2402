import fc from "fast-check";
import { expect, it } from "vitest";
import { anyRequest, startFuzz, wrongWith } from "../../support/local-kintone/fuzz.ts";

it.each(Array.from({ length: 20 }, (_, at) => 1_000 + at))(
  "answers 20,000 requests of seed %i without breaking, and shows no other app's record (kintone-rest §2-§13)",
  async (seed) => {
    const rig = startFuzz();
    try {
      await fc.assert(
        fc.asyncProperty(anyRequest, async (request) => {
          const wrong = wrongWith(await rig.send(request));
          if (wrong !== null) throw new Error(`the answer ${wrong}`, { cause: rig.failures.at(-1) });
        }),
        { seed, numRuns: 20_000 },
      );
      expect(rig.failures).toEqual([]);
    } finally {
      await rig.dispose();
    }
  },
);
