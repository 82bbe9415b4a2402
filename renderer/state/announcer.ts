import { createStore } from "zustand/vanilla";

/** Messages within this time are spoken as one (operator-ux §4, 4.1.3); milliseconds. */
const BURST_MS = 250;

export interface AnnouncerState {
  readonly message: string;
}

/**
 * What a screen reader is told politely: one message a burst. `summarise` makes one sentence of several. Timers are
 * injected so that a burst can be tested without waiting.
 */
export function createAnnouncer(deps: {
  readonly later: (work: () => void, ms: number) => () => void;
  readonly summarise: (messages: readonly string[]) => string;
}) {
  const store = createStore<AnnouncerState>(() => ({ message: "" }));
  let held: string[] = [];
  let cancel: (() => void) | null = null;
  return {
    store,
    say(message: string): void {
      held.push(message);
      cancel ??= deps.later(() => {
        const messages = held;
        held = [];
        cancel = null;
        const [only] = messages;
        store.setState({
          message: messages.length === 1 && only !== undefined ? only : deps.summarise(messages),
        });
      }, BURST_MS);
    },
    reset(): void {
      cancel?.();
      cancel = null;
      held = [];
      store.setState({ message: "" });
    },
  };
}
export type Announcer = ReturnType<typeof createAnnouncer>;
