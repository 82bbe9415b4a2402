import { contextBridge, ipcRenderer } from "electron";
import { DESKTOP_LINE, type DesktopLine, LINE_CHANNEL } from "../../shared/api/desktop-bridge.ts";

/**
 * The page's end of the line (decisions §1, electron-desktop I1): two functions, no channel parameter, and never the
 * event object, through which a page would reach the whole bus.
 */
const listeners: ((data: string) => void)[] = [];
// Built of text alone: an object handed over by the page could carry getters into this world.
const line: DesktopLine = {
  post: (data) => ipcRenderer.send(LINE_CHANNEL, { data: String(data) }),
  onMessage: (listener) => void listeners.push(listener),
};

ipcRenderer.on(LINE_CHANNEL, (_event, data: unknown) => {
  // Said on arrival: a page that hangs takes nothing, and main stops sending it streams (electron-desktop I7).
  ipcRenderer.send(LINE_CHANNEL, { taken: 1 });
  if (typeof data === "string") for (const listener of listeners) listener(data);
});
contextBridge.exposeInMainWorld(DESKTOP_LINE, line);
