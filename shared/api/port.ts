/**
 * A two-way line of text messages: a WebSocket, or Electron's channel behind the preload. Both ends of the API are
 * written against it, so that neither knows which front carries it.
 */
export interface ApiPort {
  post(data: string): void;
  onMessage(listener: (data: string) => void): void;
  onClose(listener: () => void): void;
}

/** The shape the RPC library asks of a port. */
export interface LibraryPort {
  on(event: string, callback: (event?: { data: unknown }) => void): void;
  postMessage(data: unknown): void;
}

/** Dresses an {@link ApiPort} for the RPC library. Binary messages do not exist in this API and are refused. */
export function libraryPort(port: ApiPort): LibraryPort {
  return {
    on(event, callback) {
      if (event === "message") port.onMessage((data) => callback({ data }));
      if (event === "close") port.onClose(() => callback());
    },
    postMessage(data) {
      if (typeof data !== "string") throw new TypeError("the console API carries text messages only");
      port.post(data);
    },
  };
}
