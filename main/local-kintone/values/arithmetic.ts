import type { NumberPrecision } from "../model.ts";

/** `digits / 10^scale`, exact. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Decimal places a division keeps before it is rounded for the app; far beyond what an app may show (30). */
const DIVISION_SCALE = 60;
/** Largest exponent of `^`, as the service bounds it; keeps a formula from filling the memory. */
const MAX_POWER = 100;
/** Digits a power may have: no app shows as many, and a power of a power of a power would fill the memory. */
const MAX_POWER_DIGITS = 10_000;

export const ZERO: Decimal = { digits: 0n, scale: 0 };
export const ofInteger = (value: number | bigint): Decimal => ({ digits: BigInt(value), scale: 0 });

/** Reads normalised decimal text. */
export function parseDecimal(text: string): Decimal {
  const [left = "0", right = ""] = text.split(".");
  return { digits: BigInt(left + right), scale: right.length };
}

/** Decimal text without trailing zeros behind the point. */
export function decimalText({ digits, scale }: Decimal): string {
  const negative = digits < 0n;
  const all = String(negative ? -digits : digits).padStart(scale + 1, "0");
  const whole = all.slice(0, all.length - scale);
  const fraction = all.slice(all.length - scale).replace(/0+$/, "");
  const text = fraction === "" ? whole : `${whole}.${fraction}`;
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale];
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b);
  return { digits: left + right, scale };
}

export const negate = (a: Decimal): Decimal => ({ digits: -a.digits, scale: a.scale });
export const multiply = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

/** Sign of `a - b`. */
export function compare(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Null for a division by zero. */
export function divide(a: Decimal, b: Decimal): Decimal | null {
  if (b.digits === 0n) return null;
  const [left, right] = aligned(a, b);
  return { digits: (left * 10n ** BigInt(DIVISION_SCALE)) / right, scale: DIVISION_SCALE };
}

/** Null unless the exponent is a whole number from -100 to 100 and the result has at most 10,000 digits. */
export function power(a: Decimal, exponent: Decimal): Decimal | null {
  const text = decimalText(exponent);
  const count = Number(text);
  if (!/^-?\d+$/.test(text) || Math.abs(count) > MAX_POWER) return null;
  if (Math.max(String(a.digits).length, a.scale) * Math.abs(count) > MAX_POWER_DIGITS) return null;
  const raised = { digits: a.digits ** BigInt(Math.abs(count)), scale: a.scale * Math.abs(count) };
  return count < 0 ? divide(ofInteger(1), raised) : raised;
}

/** Whether the kept part grows by one, away from zero. */
function roundsUp(kept: bigint, rest: bigint, unit: bigint, mode: Rounding): boolean {
  if (rest === 0n || mode === "DOWN") return false;
  if (mode === "UP") return true;
  const twice = rest * 2n;
  if (twice !== unit) return twice > unit;
  return mode === "HALF_UP" || kept % 2n === 1n;
}

export type Rounding = NumberPrecision["roundingMode"] | "HALF_UP";

/** Rounds to `places` behind the point; negative places round before it. UP and DOWN are away from and towards zero. */
export function round(value: Decimal, places: number, mode: Rounding): Decimal {
  if (value.scale <= places) return value;
  const unit = 10n ** BigInt(value.scale - places);
  const positive = value.digits < 0n ? -value.digits : value.digits;
  const kept = positive / unit;
  const grown = kept + (roundsUp(kept, positive % unit, unit, mode) ? 1n : 0n);
  const signed = value.digits < 0n ? -grown : grown;
  return places >= 0
    ? { digits: signed, scale: places }
    : { digits: signed * 10n ** BigInt(-places), scale: 0 };
}
