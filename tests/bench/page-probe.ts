import type { CDPSession, Page } from "@playwright/test";

/** What has not come by then does not come. */
const LONGEST_WAIT_MS = 60_000;

/**
 * What the page tells of itself, as plain script: this program knows no document. Long tasks and the durations of
 * interactions (Event Timing API; Chromium reports those from 16 ms on) are kept from the first moment on.
 */
const PROBE = `
window.probe = { long: [], events: new Map(), slow: [] };
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) probe.long.push(duration);
}).observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.interactionId === 0) { if (entry.name.startsWith("pointer") || entry.name.startsWith("mouse")) probe.slow.push(entry.duration); continue; }
    probe.events.set(entry.interactionId, Math.max(entry.duration, probe.events.get(entry.interactionId) ?? 0));
  }
}).observe({ type: "event", durationThreshold: 16, buffered: true });
probe.until = (selector, text) => new Promise((resolve, reject) => {
  const last = performance.now() + ${LONGEST_WAIT_MS};
  const look = () => {
    const found = [...document.querySelectorAll(selector)].some((each) => text === undefined || each.textContent.includes(text));
    if (found) return requestAnimationFrame(() => resolve(performance.now()));
    if (performance.now() < last) return requestAnimationFrame(look);
    reject(new Error("no " + selector + " " + text + " on " + location.hash + ": " + document.body.innerText.slice(0, 500)));
  };
  look();
});
probe.open = async (hash, selector, text) => {
  const from = performance.now();
  location.hash = hash;
  return (await probe.until(selector, text)) - from;
};
probe.scroll = async (selector, steps, by) => {
  probe.long.length = 0;
  const frame = document.querySelector(selector);
  const times = [];
  let last = performance.now();
  for (let step = 0; step < steps; step++) {
    frame.scrollTop += by;
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - last);
    last = performance.now();
  }
  return { longest: Math.max(0, ...probe.long), frame: times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] };
};
`;

const quoted = (...values: readonly (string | number | undefined)[]): string =>
  values.map((value) => JSON.stringify(value) ?? "undefined").join(", ");

/** The probe of a page, to be set before the page opens. Times in milliseconds. */
export async function createProbe(page: Page) {
  await page.addInitScript({ content: PROBE });
  const cdp: CDPSession = await page.context().newCDPSession(page);
  // The processor time of the thread: what others do on the machine meanwhile is not the page's work.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const number = async (script: string): Promise<number> => Number(await page.evaluate(script));
  const metric = async (name: string): Promise<number> => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  };
  return {
    number,
    /** From the change of the address until a picture holds what the selector names. */
    open: (hash: string, selector: string, text?: string) =>
      number(`probe.open(${quoted(hash, selector, text)})`),
    /** Since the page began to load. */
    until: (selector: string, text?: string) => number(`probe.until(${quoted(selector, text)})`),
    async scroll(selector: string, steps: number, by: number) {
      const found: unknown = await page.evaluate(`probe.scroll(${quoted(selector, steps, by)})`);
      const { longest, frame } = found as { readonly longest: number; readonly frame: number };
      return { longest, frame };
    },
    /** Durations of the interactions so far that took 16 ms or more, shortest first. */
    async interactions(): Promise<readonly number[]> {
      const found: unknown = await page.evaluate("[...probe.events.values()].sort((a, b) => a - b)");
      return Array.isArray(found) ? found.map(Number) : [];
    },
    /** Seconds of work of the page's main thread so far. */
    busySeconds: () => metric("TaskDuration"),
    /** Bytes in use after everything that can be collected was. */
    async heapBytes(): Promise<number> {
      await cdp.send("HeapProfiler.collectGarbage");
      return metric("JSHeapUsedSize");
    },
  };
}
export type Probe = Awaited<ReturnType<typeof createProbe>>;
