/** Resolves when the signal aborts: the end of a command that serves until Ctrl+C. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    // A signal keeps no process alive; what is served does, and this timer where nothing else would.
    const keepAlive = setInterval(() => undefined, 60_000);
    const done = (): void => {
      clearInterval(keepAlive);
      resolve();
    };
    signal.addEventListener("abort", done, { once: true });
  });
}
