import type { EventEmitter } from "node:events";
import { errorFields } from "./line.ts";
import type { ProgramLog } from "./log.ts";

/**
 * Writes what nobody caught, at once and to the disk, then tells of it (electron-desktop L10): the process goes on only
 * to bring its work to an end. Returns what ends the watch.
 */
export function watchFaults(
  process: Pick<EventEmitter, "on" | "off">,
  log: Pick<ProgramLog, "write" | "flushNow">,
  told: (error: unknown) => void,
): () => void {
  const watch = (id: string) => (error: unknown) => {
    log.write("fatal", "process", id, errorFields(error));
    log.flushNow();
    told(error);
  };
  const uncaught = watch("UNCAUGHT_EXCEPTION");
  const unhandled = watch("UNHANDLED_REJECTION");
  process.on("uncaughtException", uncaught);
  process.on("unhandledRejection", unhandled);
  return () => {
    process.off("uncaughtException", uncaught);
    process.off("unhandledRejection", unhandled);
  };
}
