import type { ApiPort, DesktopLine } from "../../shared/api/index.ts";

/** The preload's line as the API's port. It lives as long as the page: main ends it with the page, never before. */
export function desktopPort(line: DesktopLine): ApiPort {
  return {
    post: (data) => line.post(data),
    onMessage: (listener) => line.onMessage(listener),
    onClose: () => undefined,
  };
}
