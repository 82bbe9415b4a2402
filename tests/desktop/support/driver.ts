import type { Page } from "@playwright/test";
import type { HostState } from "../host/messages.ts";

/** How one start of the desktop program is made. */
export interface StartOptions {
  /** A folder of the test's own; a second start on the same one is a second instance. */
  readonly folder: string;
  readonly arguments?: readonly string[];
  /** The bundle Electron starts, where the host else runs the sources. */
  readonly built?: boolean;
  /** Variables beside those every program needs. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The desktop program as a person meets it, whichever shell carries it. */
export interface DesktopUnderTest {
  /** The page in the first window. */
  page(): Promise<Page>;
  state(): Promise<HostState>;
  /** Answers the question on the screen. */
  answer(button: number): Promise<void>;
  menu(id: string): Promise<void>;
  power(event: "suspend" | "resume"): Promise<void>;
  /** True when the program prevented it. */
  window(event: "close" | "query-session-end" | "session-end"): Promise<boolean>;
  /** Resolves with the exit code when the program ended. */
  readonly exited: Promise<number | null>;
  /** What the program wrote of itself so far. */
  log(): string;
  /** Asks the program to end and waits for it; one that does not is ended. */
  stop(): Promise<void>;
  /** Ends the program as a power cut would. */
  kill(): Promise<void>;
}
