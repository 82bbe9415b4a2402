import { FlowError } from "../../../shared/domain/problem.ts";

/** Who sets up: a user with the right to make apps, or API tokens with the right to manage theirs (kintone-rest §4). */
export type SetUpAuth =
  | { readonly kind: "user"; readonly user: string; readonly password: string }
  | { readonly kind: "tokens"; readonly tokens: string };

export interface SettingsClientOptions {
  /** Without trailing slash; for a local kintone with the sub-path of its workspace. */
  readonly baseUrl: string;
  readonly guestSpaceId: number | null;
  readonly auth: SetUpAuth;
  readonly signal: AbortSignal;
  /** Milliseconds until an answer counts as not arrived. */
  readonly timeoutMs: number;
}

/** What became of a request. `unknown`: it may have been carried out, or still be (kintone-rest W1, W9). */
export type Reply =
  | { readonly kind: "ok"; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: "unknown"; readonly reason: string };

export type Parameters = Readonly<Record<string, unknown>>;

/** The settings APIs of a kintone (kintone-rest §12). One call is one request; nothing is repeated here. */
export interface SettingsClient {
  readonly baseUrl: string;
  readonly auth: SetUpAuth["kind"];
  get(name: string, parameters: Parameters): Promise<Reply>;
  send(method: "POST" | "PUT", name: string, body: Parameters): Promise<Reply>;
}

/** Creates the client. Throws FlowError `BASE_URL_INVALID` for anything but https, or http on localhost. */
export function createSettingsClient(options: SettingsClientOptions): SettingsClient {
  const { baseUrl, guestSpaceId, auth } = options;
  requireSafe(baseUrl);
  const prefix = guestSpaceId === null ? "/k/v1/" : `/k/guest/${guestSpaceId}/v1/`;
  const headers = credentials(auth);
  async function exchange(method: string, url: string, body: string | null): Promise<Reply> {
    options.signal.throwIfAborted();
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
    try {
      const response = await fetch(url, {
        method,
        // A redirect would carry the password to another place.
        redirect: "error",
        signal,
        headers: body === null ? headers : { ...headers, "Content-Type": "application/json" },
        body,
      });
      return read(response.status, await response.text());
    } catch (error) {
      options.signal.throwIfAborted();
      return { kind: "unknown", reason: reasonOf(error) };
    }
  }
  return {
    baseUrl,
    auth: auth.kind,
    get: (name, parameters) => exchange("GET", `${baseUrl}${prefix}${name}?${queryOf(parameters)}`, null),
    send: (method, name, body) => exchange(method, `${baseUrl}${prefix}${name}`, JSON.stringify(body)),
  };
}

/** A password goes over https, or stays on this machine. */
function requireSafe(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const local = url?.protocol === "http:" && url.hostname === "localhost";
  if (url !== null && (url.protocol === "https:" || local) && url.search === "" && url.username === "")
    return;
  throw new FlowError({
    code: "BASE_URL_INVALID",
    message: "The base URL is https://<domain>, or http://localhost:<port> for a local kintone.",
    place: "--base-url",
    remedy: "Correct it; user and password do not belong into it.",
  });
}

function credentials(auth: SetUpAuth): Record<string, string> {
  if (auth.kind === "tokens") return { "X-Cybozu-API-Token": auth.tokens };
  const pair = Buffer.from(`${auth.user}:${auth.password}`, "utf8").toString("base64");
  return { "X-Cybozu-Authorization": pair };
}

function queryOf(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    for (const [index, item] of items.entries()) query.append(`${name}[${index}]`, String(item));
    if (!Array.isArray(value)) query.append(name, String(value));
  }
  return query.toString();
}

/** A 5xx says nothing about what was done; an unreadable 2xx neither. */
function read(status: number, text: string): Reply {
  const body = objectOf(text);
  if (status >= 200 && status < 300) {
    return body === null ? { kind: "unknown", reason: `unreadable answer ${status}` } : { kind: "ok", body };
  }
  if (status >= 500 && status !== 520) return { kind: "unknown", reason: `answer ${status}` };
  const code = typeof body?.code === "string" ? body.code : "";
  const message = typeof body?.message === "string" ? body.message : "";
  return { kind: "refused", status, code, message: withIssues(message, body?.errors) };
}

function withIssues(message: string, errors: unknown): string {
  if (typeof errors !== "object" || errors === null) return message;
  return `${message} (${Object.keys(errors).slice(0, 5).join(", ")})`;
}

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error ? cause.name : "unknown failure";
}

/** The body of an answer that has to be there; throws FlowError `KINTONE_REFUSED`, `KINTONE_UNREACHABLE`. */
export function bodyOf(reply: Reply, what: string): Readonly<Record<string, unknown>> {
  if (reply.kind === "ok") return reply.body;
  if (reply.kind === "refused") {
    throw new FlowError({
      code: "KINTONE_REFUSED",
      message: `kintone refused to ${what}: ${reply.status} ${reply.code} ${reply.message}`.trim(),
      place: what,
      remedy: "Check user, password and rights; what was done so far is found again by the next run.",
    });
  }
  throw new FlowError({
    code: "KINTONE_UNREACHABLE",
    message: `kintone did not tell whether it did this: ${what} (${reply.reason}).`,
    place: what,
    remedy: "Run the command again: what was done so far is found again by name and revision.",
  });
}
