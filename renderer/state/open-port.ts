import { type ApiPort, DESKTOP_LINE, type DesktopLine } from "../../shared/api/index.ts";
import { desktopPort } from "./desktop-port.ts";
import { webSocketPort } from "./websocket-port.ts";

/** The parts of a window that tell which front shows the page. */
export interface LineWindow {
  readonly location: { readonly host: string };
  readonly [DESKTOP_LINE]?: DesktopLine;
}

/** The line to main: the preload's where there is one, else the loopback front's socket (architecture §6). */
export function openPort(window: LineWindow, openSocket: (url: string) => WebSocket): ApiPort {
  const line = window[DESKTOP_LINE];
  if (line !== undefined) return desktopPort(line);
  return webSocketPort(openSocket(`ws://${window.location.host}/api`));
}
