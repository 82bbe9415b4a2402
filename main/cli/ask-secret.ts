/** Asks for a secret without showing it; null where nobody can answer (no terminal), or on Ctrl+C. */
export function askSecret(question: string, signal: AbortSignal): Promise<string | null> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return Promise.resolve(null);
  return new Promise((resolve) => {
    let text = "";
    const end = (answer: string | null): void => {
      stdin.off("data", onData);
      signal.removeEventListener("abort", onAbort);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      resolve(answer);
    };
    const onAbort = (): void => end(null);
    const onData = (chunk: string): void => {
      for (const key of chunk) {
        // Raw mode hands the keys over themselves: Ctrl+C, Ctrl+D, Enter, Backspace.
        const answer = key === "\r" || key === "\n" ? text : null;
        if (answer !== null || key === "\u0003" || key === "\u0004") {
          end(answer);
          return;
        }
        text = key === "\u007f" || key === "\b" ? text.slice(0, -1) : text + key;
      }
    };
    stderr.write(question);
    stdin.setRawMode(true);
    stdin.setEncoding("utf8");
    stdin.on("data", onData);
    stdin.resume();
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) end(null);
  });
}
