export const LOOKS = {
  language: ["ja", "en"],
  theme: ["light", "dark", "contrast"],
  zoom: [100, 200],
} as const;

/** A screen in a look; of each screen one is worth keeping a picture of. */
export interface Worn<T> {
  readonly screen: T;
  readonly pictured: boolean;
}

export interface Look {
  readonly language: (typeof LOOKS.language)[number];
  readonly theme: (typeof LOOKS.theme)[number];
  readonly zoom: (typeof LOOKS.zoom)[number];
}

/**
 * For every screen three looks, one a theme, so that any two of language, theme, zoom and screen meet somewhere
 * (pairwise). The looks come in groups: changing one means loading the page again.
 */
export function pairs<T>(
  screens: readonly T[],
): readonly { readonly look: Look; readonly worn: readonly Worn<T>[] }[] {
  const groups = new Map<string, { readonly look: Look; readonly worn: Worn<T>[] }>();
  for (const [at, screen] of screens.entries()) {
    for (const [turn, theme] of LOOKS.theme.entries()) {
      const language = LOOKS.language[(at + turn) % 2] ?? "ja";
      // Neither all in step with the language nor with the theme.
      const zoom = LOOKS.zoom[(Math.floor(at / 2) + (turn === 2 ? 1 : turn)) % 2] ?? 100;
      const key = `${language} ${theme} ${zoom}`;
      const group = groups.get(key) ?? { look: { language, theme, zoom }, worn: [] };
      group.worn.push({ screen, pictured: turn === at % LOOKS.theme.length });
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}
