/** An exact decimal: `digits / 10^scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Largest exponent or number of decimals taken as a number; kintone holds 30 digits. */
const MAX_SCALE = 1024;

export const ZERO: Decimal = { digits: 0n, scale: 0 };

/** Parses `10`, `-0.50`, `1e3`; null for anything else, the empty text included. */
export function parseDecimal(text: string): Decimal | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const fraction = match[3] ?? "";
  const scale = fraction.length - Number(match[4] ?? "0");
  if (Math.abs(scale) > MAX_SCALE) return null;
  const unsigned = BigInt((match[2] ?? "0") + fraction);
  const digits = match[1] === "-" ? -unsigned : unsigned;
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function rescale(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

/** Negative, zero or positive, as `left` is below, equal to or above `right`; exact. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = rescale(left, scale) - rescale(right, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The exact sum. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { digits: rescale(left, scale) + rescale(right, scale), scale };
}

/** The shortest plain text: no exponent, no trailing zeros behind the point, no negative zero. */
export function formatDecimal(value: Decimal): string {
  const sign = value.digits < 0n ? "-" : "";
  const digits = (value.digits < 0n ? -value.digits : value.digits).toString().padStart(value.scale + 1, "0");
  const whole = digits.slice(0, digits.length - value.scale);
  const fraction = digits.slice(digits.length - value.scale).replace(/0+$/, "");
  return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}
