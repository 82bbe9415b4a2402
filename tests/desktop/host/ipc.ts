import { EventEmitter } from "node:events";

/** Messages to main; `handle` and the rest of Electron's are not there, and would say so by being undefined. */
export const ipcMain = new EventEmitter();
