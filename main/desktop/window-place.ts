import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writePrivateFile } from "../console/index.ts";
import type { Rectangle } from "./ports.ts";

const whole = z.number().int().min(-100_000).max(100_000);
const placeSchema = z.strictObject({
  kind: z.literal("FLOWNET_WINDOW"),
  formatVersion: z.literal(1),
  bounds: z.strictObject({ x: whole, y: whole, width: whole.min(1), height: whole.min(1) }),
});

/** So much of a window has to lie on a display for a hand to reach it, in device-independent pixels. */
const GRIP = { width: 200, height: 100 };

/**
 * Where a window may come back (electron-desktop L12): displays change under remote desktop, so a place of which
 * too little would be seen is none. The size never exceeds the display it lies on.
 */
export function visiblePlace(saved: Rectangle, displays: readonly Rectangle[]): Rectangle | null {
  const home = displays.find((display) => {
    const width = overlap(saved.x, saved.width, display.x, display.width);
    const height = overlap(saved.y, saved.height, display.y, display.height);
    // The top edge is what a window is moved by.
    return width >= GRIP.width && height >= GRIP.height && saved.y >= display.y;
  });
  if (home === undefined) return null;
  return { ...saved, width: Math.min(saved.width, home.width), height: Math.min(saved.height, home.height) };
}

const overlap = (a: number, aSize: number, b: number, bSize: number): number =>
  Math.min(a + aSize, b + bSize) - Math.max(a, b);

/** The place stored last; null when there is none that can be read. */
export async function readPlace(path: string): Promise<Rectangle | null> {
  try {
    return placeSchema.parse(JSON.parse(await readFile(path, "utf8"))).bounds;
  } catch {
    // A place is a comfort: without it the window opens at its usual size.
    return null;
  }
}

/** Stores a place. Errors: `FlowError` `DATA_FILE_WRITE_FAILED`. */
export async function writePlace(path: string, { x, y, width, height }: Rectangle): Promise<void> {
  const place: z.infer<typeof placeSchema> = {
    kind: "FLOWNET_WINDOW",
    formatVersion: 1,
    bounds: { x, y, width, height },
  };
  await writePrivateFile(path, `${JSON.stringify(place)}\n`);
}
