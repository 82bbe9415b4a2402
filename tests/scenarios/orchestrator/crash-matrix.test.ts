import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crashAt, crashPoints, pointName } from "../../support/crash-matrix/matrix.ts";
import { CRASH_OPERATIONS } from "../../support/crash-matrix/operations.ts";
import { type CrashWorld, openCrashWorld } from "../../support/crash-matrix/world.ts";
import { seededRandom } from "../../support/seeded.ts";

const SEED = 20_261_001;
const SHARE = 0.1;
/** Every point is a killed process and the way home from it. */
const LIMIT_MS = 600_000;

let world: CrashWorld;
beforeAll(async () => {
  world = await openCrashWorld();
});
afterAll(() => world.dispose());

describe("killing an operation before and after its requests to kintone (orchestration section 2.3)", () => {
  it(
    "leaves nothing that a documented command cannot bring to its end: a seeded tenth of all points",
    async () => {
      const points = await crashPoints(world);
      const random = seededRandom(SEED);
      const chosen = points
        .map((point) => ({ point, place: random() }))
        .sort((a, b) => a.place - b.place)
        .slice(0, Math.ceil(points.length * SHARE))
        .map(({ point }) => point);
      let killed = 0;
      for (const point of chosen) {
        try {
          if (await crashAt(world, point)) killed += 1;
        } catch (error) {
          throw new Error(pointName(point), { cause: error });
        }
      }
      console.log(
        `crash matrix: ${killed} of ${points.length} points, ${CRASH_OPERATIONS.length} operations`,
      );
      expect(killed).toBeGreaterThan(chosen.length / 2);
    },
    LIMIT_MS,
  );
});
