/** What `%` and `_` mean; without either the pattern means "contains" (job-dialect §3). */
export function likeMatches(cell: string, pattern: string): boolean {
  if (!/[%_]/.test(pattern)) return cell.includes(pattern);
  const expression = [...pattern]
    .map((char) =>
      char === "%" ? "[^]*" : char === "_" ? "[^]" : char.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"),
    )
    .join("");
  return new RegExp(`^${expression}$`, "u").test(cell);
}

/** `+ - * /` on IEEE doubles, printed as JavaScript does; an empty cell is 0, division by zero NaN (job-dialect §3). */
export function arithmetic(operator: string, left: string, right: string): string {
  const a = Number(left);
  const b = Number(right);
  if (operator === "+") return String(a + b);
  if (operator === "-") return String(a - b);
  if (operator === "*") return String(a * b);
  return String(b === 0 ? Number.NaN : a / b);
}
