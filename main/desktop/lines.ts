import { type ApiPort, isApiCall, lineEnvelope } from "../../shared/api/index.ts";
import { isOwnUrl } from "./origin.ts";
import type { SenderFacts } from "./ports.ts";

/** One line to a page, as the console API is given it. */
export interface FrontPort extends ApiPort {
  /** Resolves once the line can take more. */
  readonly writable: () => Promise<void>;
}

/** The part of the console this front needs: something that answers a line. */
export interface ServedApi {
  serve(port: FrontPort): void;
}

export type Refusal = "unknown-window" | "no-frame" | "sub-frame" | "foreign-url" | "malformed";

/** Whether a message may be listened to at all (electron-desktop I2): a known window, its main frame, our pages. */
export function senderRefusal(sender: SenderFacts, known: ReadonlySet<number>): Refusal | null {
  if (!known.has(sender.windowId)) return "unknown-window";
  if (sender.frameUrl === null) return "no-frame";
  if (!sender.mainFrame) return "sub-frame";
  return isOwnUrl(sender.frameUrl) ? null : "foreign-url";
}

/** A stream waits when the page has not taken this many messages yet. */
const HIGH_WATER = 256;
/** A page that far behind does not read any more: its line is cut. */
const OVERFLOW = 20_000;

export interface LinesDeps {
  readonly api: ServedApi;
  readonly send: (windowId: number, data: string) => void;
  readonly refused: (why: Refusal) => void;
  /** A page stopped reading for good. */
  readonly cut: (windowId: number) => void;
}

/** The lines of this front, one a document: the first message of a document opens it, its end closes it. */
export function createLines(deps: LinesDeps) {
  const known = new Set<number>();
  const lines = new Map<number, Line>();
  const close = (windowId: number): void => {
    const line = lines.get(windowId);
    lines.delete(windowId);
    line?.close();
  };
  const lineOf = (windowId: number): Line => {
    const open = lines.get(windowId);
    if (open !== undefined) return open;
    const line = createLine(
      (data) => deps.send(windowId, data),
      () => {
        close(windowId);
        deps.cut(windowId);
      },
    );
    lines.set(windowId, line);
    deps.api.serve(line.port);
    return line;
  };
  return {
    /** From now on this window is one of ours. */
    admit: (windowId: number) => void known.add(windowId),
    /** A document of the window ended. */
    close,
    forget(windowId: number) {
      known.delete(windowId);
      close(windowId);
    },
    receive(sender: SenderFacts, message: unknown) {
      const refusal = senderRefusal(sender, known);
      if (refusal !== null) return deps.refused(refusal);
      const envelope = lineEnvelope.safeParse(message);
      if (!envelope.success) return deps.refused("malformed");
      if ("taken" in envelope.data) return lines.get(sender.windowId)?.taken(envelope.data.taken);
      if (!isApiCall(envelope.data.data)) return deps.refused("malformed");
      lineOf(sender.windowId).receive(envelope.data.data);
    },
    dispose() {
      for (const windowId of [...lines.keys()]) close(windowId);
      known.clear();
    },
  };
}
export type Lines = ReturnType<typeof createLines>;

interface Line {
  readonly port: FrontPort;
  receive(data: string): void;
  taken(count: number): void;
  close(): void;
}

function createLine(send: (data: string) => void, overflow: () => void): Line {
  const heard: ((data: string) => void)[] = [];
  const ended: (() => void)[] = [];
  let waiting: (() => void)[] = [];
  let untaken = 0;
  let open = true;
  const wake = (): void => {
    if (open && untaken >= HIGH_WATER) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    port: {
      post(data) {
        if (!open) return;
        if (untaken >= OVERFLOW) return overflow();
        untaken += 1;
        send(data);
      },
      onMessage: (listener) => void heard.push(listener),
      onClose: (listener) => void ended.push(listener),
      writable() {
        if (!open || untaken < HIGH_WATER) return Promise.resolve();
        return new Promise((resolve) => waiting.push(resolve));
      },
    },
    receive(data) {
      for (const listener of heard) listener(data);
    },
    taken(count) {
      untaken = Math.max(0, untaken - count);
      wake();
    },
    close() {
      if (!open) return;
      open = false;
      wake();
      for (const listener of ended) listener();
    },
  };
}
