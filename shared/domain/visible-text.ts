/** Characters without a shape of their own: invisible by Unicode, control and format characters, the blank of Braille. */
const UNSEEN = /[\p{DI}\p{Cc}\p{Cf}\u2800]/gu;

/**
 * What a person sees of a text, without the white space around it. A reason or a proof made of characters that cannot be
 * seen is none (operator-ux §2.1); the text itself is kept as it was typed. Pure.
 */
export const visibleText = (text: string): string => text.replace(UNSEEN, "").trim();

/** Characters a person sees, each counted once however it is stored. Pure. */
export const visibleLength = (text: string): number => [...visibleText(text)].length;

/**
 * A typed text without control characters, which end an argument, colour a terminal, or move its cursor; line ends and
 * tabs stay. Pure.
 */
export const withoutControls = (text: string): string =>
  text.replace(/\p{Cc}/gu, (sign) => (sign === "\n" || sign === "\r" || sign === "\t" ? sign : ""));
