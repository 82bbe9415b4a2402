/** What a test asks of a host process, over the process's own channel. */
export type Command =
  | { readonly kind: "state" }
  /** Answers the question that stands on the screen. */
  | { readonly kind: "answer"; readonly button: number }
  | { readonly kind: "menu"; readonly id: string }
  | { readonly kind: "power"; readonly event: "suspend" | "resume" }
  | { readonly kind: "window"; readonly event: "close" | "query-session-end" | "session-end" }
  | { readonly kind: "page-gone"; readonly reason: string }
  | { readonly kind: "permission"; readonly permission: string }
  /** An error nobody in the program foresaw. */
  | { readonly kind: "fault"; readonly message: string }
  /** A message as if a frame had sent it. */
  | {
      readonly kind: "forge";
      readonly frameUrl: string | null;
      readonly sub: boolean;
      readonly message: unknown;
      readonly foreignWindow: boolean;
    };

export interface RecordedQuestion {
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  readonly preferred: number;
}

/** What a person at the machine could see and hear. */
export interface HostState {
  readonly questions: readonly RecordedQuestion[];
  /** Whether the last question waits for its answer. */
  readonly pending: boolean;
  readonly opened: readonly string[];
  readonly awake: number;
  readonly windows: readonly { readonly id: number; readonly url: string; readonly visible: boolean }[];
  readonly menu: readonly string[];
  readonly tray: readonly string[];
}

/** What a command answers: the state for `state`, both handlers' decisions for `permission`, else whether it did. */
export type AnswerValue = HostState | boolean | readonly (boolean | undefined)[];

export type Report =
  | { readonly kind: "browser"; readonly endpoint: string }
  | { readonly kind: "answer"; readonly id: number; readonly value: AnswerValue }
  | { readonly kind: "failure"; readonly id: number; readonly message: string };
