import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import type { KintoneAnswer, Refusal, UnknownOutcome } from "./answer.ts";
import { classifyClientError } from "./classify.ts";
import { type ConnectionConfig, createConnection } from "./connection.ts";
import { type ClientRequest, dispatch } from "./dispatch.ts";
import { transferFile } from "./files.ts";
import { REQUEST_TIMEOUT_MS } from "./limits.ts";
import { appsOf, type KintoneOperation, type KintoneRequest } from "./operations.ts";
import { type TokenMap, tokensFor } from "./tokens.ts";

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until the answer counts as not arrived. */
  readonly timeoutMs?: number;
}

/** The way to a kintone (decisions §4). One call is one HTTP request: nothing is repeated here. */
export interface KintoneTransport {
  send<T>(operation: KintoneOperation<T>, options?: SendOptions): Promise<KintoneAnswer<T>>;
}

export interface TransportConfig extends ConnectionConfig {
  readonly tokens: TokenMap;
  /** A user's login, in place of the tokens (kintone-rest §4). */
  readonly login?: { readonly username: string; readonly password: string };
  /** Basic authentication in front of the domain, beside tokens or login. */
  readonly basicAuth?: { readonly username: string; readonly password: string };
  readonly guestSpaceId?: number;
  readonly timeoutMs?: number;
}

type Outcome = { readonly kind: "raw"; readonly raw: unknown } | Refusal | UnknownOutcome;

const base64 = ({ username, password }: NonNullable<TransportConfig["login"]>): string =>
  Buffer.from(`${username}:${password}`, "utf8").toString("base64");

/** The headers the official client makes of the same credentials, for the requests it does not carry. */
function credentialHeaders(
  tokens: readonly string[],
  login: TransportConfig["login"],
  basicAuth: TransportConfig["basicAuth"],
): Readonly<Record<string, string>> {
  return {
    ...(login === undefined
      ? { "X-Cybozu-API-Token": tokens.join(",") }
      : { "X-Cybozu-Authorization": base64(login) }),
    ...(basicAuth && { Authorization: `Basic ${base64(basicAuth)}` }),
  };
}

/** Resolves to `outcome`, or earlier to a time-out or an abort; the request itself goes on unheard. */
function bounded(outcome: Promise<Outcome>, timeoutMs: number, signal?: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => resolve({ kind: "unknown", reason: "timeout" }), timeoutMs);
  const onAbort = (): void => resolve({ kind: "unknown", reason: "aborted" });
  signal?.addEventListener("abort", onAbort, { once: true });
  outcome.then(resolve, () => resolve({ kind: "unknown", reason: "unreadable" }));
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  });
}

/**
 * Transport over HTTP with the official client, whose answers are checked for shape and whose exceptions are
 * turned into values (kintone-rest §1.1, W1, W9; fenced-writes R3). The client has no abort: an aborted or
 * timed-out request may still arrive, which is why both are unknown outcomes. `dispose` waits for requests
 * that are still out, each bounded by its time limit. Throws `CONFIG_ERROR` for a bad base URL, and from
 * `send` for an app without token.
 */
export function createKintoneTransport(
  config: TransportConfig,
): KintoneTransport & { dispose(): Promise<void> } {
  const connection = createConnection(config);
  const guestSpaceId = config.guestSpaceId ?? null;
  const { login, basicAuth } = config;
  const out = new Set<Promise<Outcome>>();
  const tokensOf = (request: KintoneRequest): readonly string[] =>
    login === undefined ? tokensFor(appsOf(request), config.tokens) : [];
  const closing = new AbortController();

  async function viaClient(request: ClientRequest, timeoutMs: number): Promise<Outcome> {
    // The client has one time limit for its life; it holds no state, so one is made for each request.
    const client = new KintoneRestAPIClient({
      baseUrl: connection.baseUrl,
      auth: login ?? { apiToken: [...tokensOf(request)] },
      ...(basicAuth && { basicAuth }),
      proxy: false,
      socketTimeout: timeoutMs,
      featureFlags: { enableAbortSearchError: true },
      ...(guestSpaceId !== null && { guestSpaceId }),
      ...(connection.httpsAgent && { httpsAgent: connection.httpsAgent }),
    });
    try {
      return { kind: "raw", raw: await dispatch(client, request) };
    } catch (error) {
      return classifyClientError(error);
    }
  }

  function start(request: KintoneRequest, timeoutMs: number, signal?: AbortSignal): Promise<Outcome> {
    if (request.kind !== "uploadFile" && request.kind !== "downloadFile")
      return viaClient(request, timeoutMs);
    const headers = credentialHeaders(tokensOf(request), login, basicAuth);
    const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    return transferFile(request, { connection, guestSpaceId, headers, timeoutMs, signal: either });
  }

  function track(outcome: Promise<Outcome>): Promise<Outcome> {
    out.add(outcome);
    const forget = (): boolean => out.delete(outcome);
    outcome.then(forget, forget);
    return outcome;
  }

  return {
    async send(operation, options = {}) {
      const { signal } = options;
      if (signal?.aborted) return { kind: "unknown", reason: "aborted" };
      const timeoutMs = options.timeoutMs ?? config.timeoutMs ?? REQUEST_TIMEOUT_MS;
      tokensOf(operation.request);
      const outcome = await bounded(track(start(operation.request, timeoutMs, signal)), timeoutMs, signal);
      if (outcome.kind !== "raw") return outcome;
      const value = operation.parse(outcome.raw);
      return value === null ? { kind: "unknown", reason: "unreadable", status: 200 } : { kind: "ok", value };
    },
    async dispose() {
      closing.abort();
      await Promise.allSettled([...out]);
      connection.dispose();
    },
  };
}
