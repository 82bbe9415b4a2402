import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest, IncomingMessage } from "node:http";
import type { ClockSample } from "../../shared/domain/clock-skew.ts";

const SENT = "http.client.request.start";
const ANSWERED = "http.client.response.finish";

export interface ServerClockDeps {
  readonly baseUrl: string;
  /** This host's clock; epoch milliseconds. */
  readonly nowMs: () => number;
  readonly told: (sample: ClockSample) => void;
}

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === "object" && message !== null ? Reflect.get(message, name) : undefined;

/**
 * Reads the `Date` header of every answer of one kintone, whoever asked it (electron-desktop L13): no request is made
 * for it. The official client hands no headers out, so the answers are seen where the runtime tells of them. Returns
 * what ends it.
 */
export function watchServerClock({ baseUrl, nowMs, told }: ServerClockDeps): () => void {
  const { host } = new URL(baseUrl);
  const sent = new WeakMap<ClientRequest, number>();
  const onSent = (message: unknown): void => {
    const request = fieldOf(message, "request");
    if (request instanceof ClientRequest && request.getHeader("host") === host) sent.set(request, nowMs());
  };
  const onAnswered = (message: unknown): void => {
    const request = fieldOf(message, "request");
    const response = fieldOf(message, "response");
    if (!(request instanceof ClientRequest && response instanceof IncomingMessage)) return;
    const sentMs = sent.get(request);
    const serverMs = Date.parse(response.headers.date ?? "");
    if (sentMs !== undefined && !Number.isNaN(serverMs)) told({ sentMs, receivedMs: nowMs(), serverMs });
  };
  subscribe(SENT, onSent);
  subscribe(ANSWERED, onAnswered);
  return () => {
    unsubscribe(SENT, onSent);
    unsubscribe(ANSWERED, onAnswered);
  };
}
