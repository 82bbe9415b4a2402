import { FlowError } from "../../../shared/domain/problem.ts";
import { REQUEST_STALE_AFTER_MS } from "../../../shared/domain/request.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Between two cycles of a resident poller: an idle host spends a third of what one app may be asked in a day. */
const INTERVAL_MS = 30_000;
const HEARTBEAT_MS = 60_000;
/** kintone keeps times to the minute; a day of silence is nobody's threshold. */
const LEAST_INTERVAL_MS = 1_000;

/** All in milliseconds. */
export interface PollOptions {
  readonly intervalMs: number;
  readonly heartbeatMs: number;
  readonly staleAfterMs: number;
}

/**
 * Reads `KSQL_FLOWNET_REQUEST_HEARTBEAT_INTERVAL_MS`, `…_STALE_AFTER_MS` (orchestration section 9.3) and our own
 * `…_POLL_INTERVAL_MS`. Error: `THRESHOLD_INVALID`, also when a claim would turn stale between two signs of life.
 */
export function pollOptions(env: Env): PollOptions {
  const heartbeatMs = milliseconds(env, "KSQL_FLOWNET_REQUEST_HEARTBEAT_INTERVAL_MS", HEARTBEAT_MS);
  const staleAfterMs = milliseconds(env, "KSQL_FLOWNET_REQUEST_STALE_AFTER_MS", REQUEST_STALE_AFTER_MS);
  const intervalMs = milliseconds(env, "KSQL_FLOWNET_REQUEST_POLL_INTERVAL_MS", INTERVAL_MS);
  if (staleAfterMs <= heartbeatMs) {
    throw invalid(
      "KSQL_FLOWNET_REQUEST_STALE_AFTER_MS",
      `${staleAfterMs} ms of silence would call a claim stale that shows life every ${heartbeatMs} ms`,
    );
  }
  if (intervalMs < LEAST_INTERVAL_MS) {
    throw invalid("KSQL_FLOWNET_REQUEST_POLL_INTERVAL_MS", `less than ${LEAST_INTERVAL_MS} ms`);
  }
  return { intervalMs, heartbeatMs, staleAfterMs };
}

function milliseconds(env: Env, name: string, otherwise: number): number {
  const text = env[name] ?? "";
  if (text === "") return otherwise;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw invalid(name, "it is not a positive number of milliseconds");
}

const invalid = (name: string, why: string): FlowError =>
  new FlowError({
    code: "THRESHOLD_INVALID",
    message: `The variable ${name} cannot be used: ${why}.`,
    place: `environment ${name}`,
    remedy: "Give milliseconds, the stale threshold larger than the heartbeat interval, or leave them out.",
  });
