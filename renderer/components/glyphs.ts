import type { Glyph } from "./status-model.ts";

/** A line from a point on: path commands that are all relative, so that it can be drawn anywhere. */
export type Stroke = readonly [x: number, y: number, commands: string];

/** One status mark on 16 × 16 as path data, so that a row of a grid can draw all of one status as one path. */
export interface Shape {
  /** Filled in the tone. */
  readonly fill: readonly Stroke[];
  /** Drawn in the tone. */
  readonly line: readonly Stroke[];
  /** Drawn in the background's colour, over the filling. */
  readonly cut: readonly Stroke[];
  readonly dashed?: true;
}

const disc = (radius: number): Stroke => [
  8 - radius,
  8,
  `a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`,
];
/** A square with round corners, by its upper left corner's place and its side. */
const square = (from: number, side: number): Stroke => {
  const edge = side - 4;
  return [
    from + 2,
    from,
    `h${edge}a2 2 0 0 1 2 2v${edge}a2 2 0 0 1-2 2h${-edge}a2 2 0 0 1-2-2v${-edge}a2 2 0 0 1 2-2z`,
  ];
};

const only = (part: Partial<Shape>): Shape => ({ fill: [], line: [], cut: [], ...part });

/** One shape a status, told apart without colour. */
export const SHAPES: Readonly<Record<Glyph, Shape>> = {
  tick: only({ fill: [disc(7)], cut: [[4.6, 8.2, "l2.3 2.3 4.5-4.8"]] }),
  cross: only({
    fill: [square(1.5, 13)],
    cut: [
      [5.3, 5.3, "l5.4 5.4"],
      [10.7, 5.3, "l-5.4 5.4"],
    ],
  }),
  question: only({
    fill: [[8, 0.8, "l7.2 7.2-7.2 7.2-7.2-7.2z"]],
    cut: [
      [6.3, 6.4, "a1.75 1.75 0 1 1 2.6 1.5c-.6.35-.9.7-.9 1.3"],
      [8, 11.2, "v.1"],
    ],
  }),
  half: only({ line: [disc(6.2)], fill: [[8, 1.8, "a6.2 6.2 0 0 1 0 12.4z"]] }),
  ring: only({ line: [disc(6.2)] }),
  dotted: only({ line: [disc(6.2)], dashed: true }),
  bar: only({
    line: [
      [5.2, 1.2, "h5.6l4 4v5.6l-4 4h-5.6l-4-4v-5.6z"],
      [4.6, 8, "h6.8"],
    ],
  }),
  slash: only({ line: [disc(6.2), [3.8, 12.2, "l8.4-8.4"]] }),
  chevrons: only({
    line: [
      [3, 3.5, "l4.5 4.5-4.5 4.5"],
      [8.5, 3.5, "l4.5 4.5-4.5 4.5"],
    ],
  }),
  play: only({ line: [disc(6.2)], fill: [[6.4, 5.2, "l4.4 2.8-4.4 2.8z"]] }),
  pause: only({ line: [square(1.8, 12.4), [6.2, 5.4, "v5.2"], [9.8, 5.4, "v5.2"]] }),
  break: only({
    line: [
      [8, 1.6, "l6.8 12.2h-13.6z"],
      [8, 6.2, "v3.6"],
      [8, 11.8, "v.1"],
    ],
  }),
};

/** The path of some strokes drawn at each of the places, which are upper left corners; CSS pixels. Pure. */
export function pathOf(
  strokes: readonly Stroke[],
  places: readonly (readonly [x: number, y: number])[],
): string {
  return places
    .flatMap(([left, top]) => strokes.map(([x, y, commands]) => `M${left + x} ${top + y}${commands}`))
    .join("");
}
