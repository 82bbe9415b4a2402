import type { ApiPort } from "../../shared/api/index.ts";

/** One line of this front, as the console API is given it. */
export interface FrontPort extends ApiPort {
  /** Resolves once the line can take more. */
  readonly writable: () => Promise<void>;
  /** Ends the line because of a message on it that nobody can read. */
  readonly unreadable: () => void;
}

/** The part of the console this front needs: something that answers a line. */
export interface ServedApi {
  serve(port: FrontPort): void;
}

export interface LoopbackDeps {
  readonly api: ServedApi;
  /** Absolute folder of the built pages. */
  readonly staticDir: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly clock: { monotonicMs(): number };
  readonly randomBytes: (size: number) => Uint8Array;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Loopback {
  /** The address with its first one-time token. */
  readonly url: string;
  /** The address without a token, for showing. */
  readonly origin: string;
  /** A further one-time link: for another browser, or after a session ended. */
  mintLink(): string;
  close(): Promise<void>;
}
