/** The stand-in for `electron` in a main process: what is not exported here, the program cannot import. */
import { listenToTest } from "./control.ts";

export { app } from "./app.ts";
export { ipcMain } from "./ipc.ts";
export { Menu, nativeImage, Tray } from "./menus.ts";
export { Notification } from "./notices.ts";
export {
  dialog,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
} from "./system.ts";
export { HostWindow as BrowserWindow } from "./window.ts";

if (process.send !== undefined) listenToTest();
