const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;
const OFFSET = /^-?\d{1,12}$/;

/**
 * The shift of this machine's clock in tests with real processes, in milliseconds, out of the text of
 * `FLOWNET_TEST_CLOCK_OFFSET_MS`: 0 unless it is a whole number and the kintone is on this machine (decisions §4).
 * Orchestrator and runner read it here, so that one process never works in another time than the other.
 */
export function testClockOffsetMs(baseUrl: string, text: string | undefined): number {
  return text !== undefined && OFFSET.test(text) && LOOPBACK.test(baseUrl) ? Number(text) : 0;
}
