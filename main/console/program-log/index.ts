/** The log of the program in `log/` of the data folder (electron-desktop G1–G3). */
export { watchFaults } from "./faults.ts";
export { errorFields, LOG_LEVELS, type LogLevel, logLine } from "./line.ts";
export { createProgramLog, type LogState, type ProgramLog, type ProgramLogDeps } from "./log.ts";
export { LOG_NAME, type LogLimits, outdatedLogs } from "./rotation.ts";
