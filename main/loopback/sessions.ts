import { createHash, timingSafeEqual } from "node:crypto";
import { SESSION_IDLE_MS } from "./policy.ts";

export interface SessionsDeps {
  readonly randomBytes: (size: number) => Uint8Array;
  /** Monotonic milliseconds: a stepped wall clock must neither end nor prolong a session. */
  readonly monotonicMs: () => number;
}

export interface Sessions {
  /** Name of the cookie of this instance: cookies know no port, so two consoles must not share a name. */
  readonly cookieName: string;
  /** A token for one link, good for one exchange. */
  mint(): string;
  /** The cookie for a token that was never used, or null. */
  exchange(token: string): string | null;
  /** Whether a `Cookie` header names a live session; using it keeps it alive. */
  admit(cookieHeader: string | undefined): string | null;
  /** An open line keeps its session alive until it closes. */
  hold(sessionId: string): () => void;
}

interface Session {
  lastUsedMs: number;
  lines: number;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** One-time tokens and the sessions bought with them, in memory only (toolchain §6). */
export function createSessions(deps: SessionsDeps): Sessions {
  const secret = (): string => Buffer.from(deps.randomBytes(32)).toString("base64url");
  const cookieName = `flownet_${Buffer.from(deps.randomBytes(6)).toString("hex")}`;
  const unused: Buffer[] = [];
  const sessions = new Map<string, Session>();
  return {
    cookieName,
    mint() {
      const token = secret();
      unused.push(digest(token));
      return token;
    },
    exchange(token) {
      if (!spend(unused, token)) return null;
      const sessionId = secret();
      sessions.set(sessionId, { lastUsedMs: deps.monotonicMs(), lines: 0 });
      return `${cookieName}=${sessionId}; HttpOnly; SameSite=Strict; Path=/`;
    },
    admit(cookieHeader) {
      expire(sessions, deps.monotonicMs() - SESSION_IDLE_MS);
      const value = cookieValue(cookieHeader, cookieName);
      const id = value === null ? null : find(sessions, value);
      const session = id === null ? undefined : sessions.get(id);
      if (session !== undefined) session.lastUsedMs = deps.monotonicMs();
      return id;
    },
    hold(sessionId) {
      const session = sessions.get(sessionId);
      if (session === undefined) return () => undefined;
      session.lines += 1;
      return () => {
        session.lines -= 1;
        session.lastUsedMs = deps.monotonicMs();
      };
    },
  };
}

/** Takes a token out of the unused ones; false when it is none of them. All are compared, in constant time each. */
function spend(unused: Buffer[], token: string): boolean {
  const offered = digest(token);
  let match = -1;
  unused.forEach((known, index) => {
    if (timingSafeEqual(known, offered)) match = index;
  });
  if (match < 0) return false;
  unused.splice(match, 1);
  return true;
}

function expire(sessions: Map<string, Session>, oldestMs: number): void {
  for (const [id, session] of sessions) {
    if (session.lines === 0 && session.lastUsedMs < oldestMs) sessions.delete(id);
  }
}

/** Every session is compared: how long an answer takes must not tell how near a guess came. */
function find(sessions: ReadonlyMap<string, Session>, sessionId: string): string | null {
  const wanted = digest(sessionId);
  let found: string | null = null;
  for (const id of sessions.keys()) if (timingSafeEqual(digest(id), wanted)) found = id;
  return found;
}

/** The value of one cookie in a `Cookie` header; null when absent. */
function cookieValue(header: string | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const [key, ...value] = part.trim().split("=");
    if (key === name) return value.join("=");
  }
  return null;
}
