import http from "node:http";
import https from "node:https";
import { type ClockSkew, judgeSkew, skewOf } from "../../../../shared/domain/clock-skew.ts";
import type { Reach } from "../../environment.ts";
import { CONNECT_MS, wordOf } from "./line.ts";
import { confirmed, type Finding, person, unreadable, wrong } from "./probe.ts";

export type ServerTime =
  | ({ readonly kind: "read" } & ClockSkew)
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: string };

export interface ServerTimeDeps {
  readonly baseUrl: string;
  readonly reach: Reach;
  readonly nowMs: () => number;
}

/** What the difference of two clocks means (electron-desktop L13). */
export function judgeClock(time: ServerTime): Finding {
  if (time.kind === "failed") return unreadable("CLOCK_UNREAD", { error: time.error });
  if (time.kind === "absent") return { ...person("CLOCK_UNTOLD") };
  const facts = {
    seconds: String(Math.round(Math.abs(time.skewMs) / 1000)),
    direction: time.skewMs > 0 ? "behind" : "ahead",
  };
  const verdict = judgeSkew(time);
  if (verdict === "wrong") return wrong("CLOCK_WRONG", facts);
  return verdict === "off" ? person("CLOCK_OFF", facts) : confirmed("CLOCK_OK", facts);
}

/** Asks without any credential: every answer, a refusal too, carries the server's time. */
export async function readServerTime(deps: ServerTimeDeps, signal: AbortSignal): Promise<ServerTime> {
  const before = deps.nowMs();
  try {
    const date = await dateHeader(deps, signal);
    const after = deps.nowMs();
    if (date === null) return { kind: "absent" };
    return { kind: "read", ...skewOf({ sentMs: before, receivedMs: after, serverMs: date }) };
  } catch (error) {
    return { kind: "failed", error: wordOf(error) };
  }
}

function dateHeader({ baseUrl, reach }: ServerTimeDeps, signal: AbortSignal): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  const url = `${baseUrl}/k/v1/app.json?id=1`;
  const agent = baseUrl.startsWith("https:")
    ? new https.Agent({
        ...(reach.ca && { ca: [...reach.ca] }),
        ...(reach.proxyUrl !== undefined && { proxyEnv: { HTTPS_PROXY: reach.proxyUrl } }),
      })
    : new http.Agent();
  const request = (baseUrl.startsWith("https:") ? https : http).request(url, { agent, signal: limited });
  request.on("error", reject);
  request.on("response", (response) => {
    response.on("error", () => undefined);
    response.destroy();
    const time = Date.parse(response.headers.date ?? "");
    resolve(Number.isNaN(time) ? null : time);
  });
  request.end();
  return promise.finally(() => agent.destroy());
}
