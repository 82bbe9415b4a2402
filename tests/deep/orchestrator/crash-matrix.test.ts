import { afterAll, beforeAll, expect, it } from "vitest";
import { crashAt, crashPoints, pointName } from "../../support/crash-matrix/matrix.ts";
import { type CrashWorld, openCrashWorld } from "../../support/crash-matrix/world.ts";

let world: CrashWorld;
beforeAll(async () => {
  world = await openCrashWorld();
});
afterAll(() => world.dispose());

it("every point of every operation is brought to its end by documented commands (orchestration section 2.3)", async () => {
  const points = await crashPoints(world);
  const failures: string[] = [];
  let killed = 0;
  for (const point of points) {
    try {
      if (await crashAt(world, point)) killed += 1;
    } catch (error) {
      failures.push(`${pointName(point)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`crash matrix: ${killed} of ${points.length} points`);
  expect(failures).toEqual([]);
});
