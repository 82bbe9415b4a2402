import type { AttentionPicture, ConsoleApi } from "../../shared/api/index.ts";
import { reconnectPauseMs } from "./live-loop.ts";

export interface AttentionLoopDeps {
  readonly api: ConsoleApi;
  readonly onPicture: (picture: AttentionPicture) => void;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/** Follows the list until the signal aborts. That the line is down is told by the live stream, which runs beside it. */
export async function followAttention(deps: AttentionLoopDeps, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const pictures = await deps.api.attention.watch({}, { signal });
      for await (const picture of pictures) {
        failures = 0;
        deps.onPicture(picture);
      }
    } catch {
      // Whatever ended the stream, the answer is the same: come back.
    }
    if (signal.aborted) return;
    failures += 1;
    await deps.wait(reconnectPauseMs(failures, deps.random()), signal);
  }
}
