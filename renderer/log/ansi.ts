/** How a stretch of a line is shown: a colour of the sixteen, and weight. */
export interface AnsiStyle {
  /** 0 to 15; null for the page's own. */
  readonly colour: number | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underline: boolean;
}

export interface AnsiPart extends AnsiStyle {
  readonly text: string;
}

const PLAIN: AnsiStyle = { colour: null, bold: false, dim: false, underline: false };

/** Select graphic rendition: the one control sequence that only paints. */
const SGR = new RegExp(`${String.fromCharCode(0x1b)}\\[([0-9;:]{0,40})m`, "g");

/**
 * A line in parts of one style each (operator-ux §1.3). Only colours and weights are understood; every other control
 * sequence stays in the text, where it is shown as what it is, because one that moves the cursor or erases could make
 * a log say what it does not (electron-desktop R7). Backgrounds and colours beyond the sixteen are left out: they
 * could make text unreadable. Pure.
 */
export function ansiParts(line: string): readonly AnsiPart[] {
  const parts: AnsiPart[] = [];
  let style = PLAIN;
  let from = 0;
  for (const match of line.matchAll(SGR)) {
    if (match.index > from) parts.push({ ...style, text: line.slice(from, match.index) });
    style = styleAfter(style, match[1] ?? "");
    from = match.index + match[0].length;
  }
  if (from < line.length) parts.push({ ...style, text: line.slice(from) });
  return parts;
}

function styleAfter(before: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(/[;:]/).map((each) => (each === "" ? 0 : Number(each)));
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      // 38;5;n and 38;2;r;g;b; of the 256 the first sixteen are the usual ones.
      const palette = codes[at + 1] === 5;
      const index = palette ? (codes[at + 2] ?? 0) : null;
      if (code === 38) style = { ...style, colour: index !== null && index < 16 ? index : null };
      at += palette ? 2 : 4;
    } else style = styleWith(style, code);
  }
  return style;
}

function styleWith(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 24) return { ...style, underline: false };
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code === 39) return { ...style, colour: null };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 90 + 8 };
  return style;
}
