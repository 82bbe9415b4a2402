/**
 * Decimal text without binary floating point: a 20-digit value must survive unchanged (kintone-rest §8.4).
 */

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Expands an exponent, drops surrounding blanks, a plus sign and leading zeros; trailing zeros stay.
 * Returns null when the text is not a number (kintone-rest §8.4 NUMBER).
 */
export function normalizeDecimal(input: string): string | null {
  const match = DECIMAL.exec(input.trim());
  if (match === null) return null;
  const whole = match[2] ?? "";
  const fraction = match[3] ?? "";
  if (whole === "" && fraction === "") return null;
  const digits = whole + fraction;
  const point = whole.length + Number(match[4] ?? "0");
  const body =
    point <= 0
      ? `0.${"0".repeat(-point)}${digits}`
      : point >= digits.length
        ? digits + "0".repeat(point - digits.length)
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  const [left = "", right] = body.split(".");
  const integer = left.replace(/^0+(?=\d)/, "");
  const text = right === undefined || right === "" ? integer : `${integer}.${right}`;
  const isZero = !/[1-9]/.test(text);
  return match[1] === "-" && !isZero ? `-${text}` : text;
}

/** True for decimal text as {@link normalizeDecimal} writes it. */
export const isDecimalText = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** Digits before the decimal point, zero for values below one; input is normalised decimal text. */
export function integerDigits(decimal: string): number {
  const [left = ""] = decimal.replace("-", "").split(".");
  return left === "0" ? 0 : left.length;
}

/**
 * A text whose binary order is the numeric order of normalised decimal texts; equal values have equal
 * keys (`5.0` and `5`), which is what unique fields and `updateKey` compare (kintone-rest §6).
 */
export function decimalKey(decimal: string): string {
  const negative = decimal.startsWith("-");
  const [left = "", right = ""] = decimal.replace("-", "").split(".");
  const significant = (left + right).replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  if (digits === "") return "1";
  const exponent = left.length - (left.length + right.length - significant.length);
  const magnitude = exponent + 50_000;
  if (!negative) return `2${String(magnitude).padStart(5, "0")}${digits}`;
  const complement = digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
  return `0${String(99_999 - magnitude).padStart(5, "0")}${complement}:`;
}

/** Sign of `left - right` for normalised decimal texts. */
export function compareDecimals(left: string, right: string): number {
  const a = decimalKey(left);
  const b = decimalKey(right);
  return a < b ? -1 : a > b ? 1 : 0;
}
