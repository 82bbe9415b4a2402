import type { Report } from "./messages.ts";

/** Tells the test that started this process; silent when nobody did. */
export function report(message: Report): void {
  process.send?.(message);
}
