/** Lines between two marks of the index, and bytes where lines are long: the most a seek has to read over. */
const MARK_LINES = 4_096;
const MARK_BYTES = 1024 * 1024;
const LF = 10;

/** The start of a line. */
export interface LineMark {
  readonly line: number;
  readonly offset: number;
}

/** A sparse index of line starts (operator-ux §3.2): some thousand numbers for a gigabyte. */
export interface LineCount {
  /** Counts the bytes that follow those counted before. */
  add(bytes: Uint8Array): void;
  /** Lines so far, a last one without its end included. */
  lines(): number;
  countedBytes(): number;
  /** The nearest known line start at or before a line. */
  markBefore(line: number): LineMark;
}

/** Counts lines and remembers every 4,096th start, or one a megabyte where lines are long. No effects. */
export function createLineCount(): LineCount {
  const marks: LineMark[] = [{ line: 0, offset: 0 }];
  let last: LineMark = { line: 0, offset: 0 };
  let newlines = 0;
  let counted = 0;
  let lineStart = 0;
  return {
    add(bytes) {
      for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
        newlines++;
        lineStart = counted + at + 1;
        if (newlines - last.line >= MARK_LINES || lineStart - last.offset >= MARK_BYTES) {
          last = { line: newlines, offset: lineStart };
          marks.push(last);
        }
      }
      counted += bytes.length;
    },
    lines: () => newlines + (counted > lineStart ? 1 : 0),
    countedBytes: () => counted,
    markBefore: (line) => marks[lastAtOrBefore(marks, line)] ?? { line: 0, offset: 0 },
  };
}

function lastAtOrBefore(marks: readonly LineMark[], line: number): number {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks[middle]?.line ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}
