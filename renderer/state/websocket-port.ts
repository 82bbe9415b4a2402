import type { ApiPort } from "../../shared/api/index.ts";

/** The loopback front's socket as the API's port. What is posted before it is open waits for the opening. */
export function webSocketPort(socket: WebSocket): ApiPort {
  let unsent: string[] = [];
  socket.addEventListener("open", () => {
    for (const data of unsent) socket.send(data);
    unsent = [];
  });
  return {
    post(data) {
      if (socket.readyState === WebSocket.CONNECTING) unsent.push(data);
      else socket.send(data);
    },
    onMessage(listener) {
      socket.addEventListener("message", (event: MessageEvent<unknown>) => {
        if (typeof event.data === "string") listener(event.data);
      });
    },
    onClose: (listener) => socket.addEventListener("close", () => listener(), { once: true }),
  };
}
