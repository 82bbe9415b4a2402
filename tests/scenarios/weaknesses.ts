import type { WeaknessRow } from "./tables/weakness.ts";
import { MISLEADING } from "./tables/weaknesses-misleading.ts";
import { SCALE } from "./tables/weaknesses-scale.ts";
import { STUCK } from "./tables/weaknesses-stuck.ts";
import { UNCERTAIN } from "./tables/weaknesses-uncertain.ts";

/** All of them, by the subjects of orchestration section 11.1. */
export const WEAKNESSES: readonly WeaknessRow[] = [...STUCK, ...UNCERTAIN, ...MISLEADING, ...SCALE];
