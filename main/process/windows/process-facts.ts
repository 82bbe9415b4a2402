import { fileTimeToIso } from "./file-time.ts";
import type { Handle, Native } from "./native.ts";

/** Rights asked for when a process is opened; the first is granted for nearly every process. */
export const ACCESS = {
  queryLimited: 0x1000,
  terminate: 0x0001,
  setQuota: 0x0100,
  duplicateHandle: 0x0040,
  readMemory: 0x0010,
  synchronize: 0x0010_0000,
} as const;

const ERROR_ACCESS_DENIED = 5n;
const ERROR_INVALID_PARAMETER = 87n;
const STILL_ACTIVE = 259;
/** A FILETIME counts in units of 100 nanoseconds. */
const TICKS_PER_MS = 10_000n;
const LONGEST_PATH = 32_768;
const COMMAND_LINE_INFORMATION = 60;
/** A text of 65,534 bytes and its head. */
const MOST_COMMAND_LINE_BYTES = 66_000;
const BASIC_INFORMATION = 0;

export type Opened =
  | { readonly kind: "opened"; readonly handle: Handle }
  | { readonly kind: "absent" }
  | { readonly kind: "denied"; readonly reason: string };

/** Opens a process. Only the system's "no such number" is absence; a refusal is a living process (electron-desktop §4 C3). */
export function openProcess(native: Native, pid: number, access: number): Opened {
  const handle = native.call.OpenProcess(access, 0, pid);
  if (handle === 0n) {
    const error = native.call.GetLastError();
    if (error === ERROR_INVALID_PARAMETER) return { kind: "absent" };
    const why = error === ERROR_ACCESS_DENIED ? "access was denied" : `error ${error}`;
    return { kind: "denied", reason: `Process ${pid} exists, but cannot be looked at: ${why}.` };
  }
  // Windows rounds a number down to a multiple of four and opens that process instead.
  if (Number(native.call.GetProcessId(handle)) !== pid) {
    native.call.CloseHandle(handle);
    return { kind: "absent" };
  }
  return { kind: "opened", handle };
}

/** Runs `use` with the opened process and closes it after, or gives `otherwise` the reason why it is not open. */
export function withProcess<T>(
  native: Native,
  pid: number,
  access: number,
  use: (handle: Handle) => T,
  otherwise: (opened: Exclude<Opened, { kind: "opened" }>) => T,
): T {
  const opened = openProcess(native, pid, access);
  if (opened.kind !== "opened") return otherwise(opened);
  try {
    return use(opened.handle);
  } finally {
    native.call.CloseHandle(opened.handle);
  }
}

export interface Times {
  /** FILETIME of the creation. */
  readonly createdTicks: bigint;
  readonly processStart: string | null;
  /** The process ran to its end; an open handle keeps its number alive. */
  readonly ended: boolean;
  /** Milliseconds of processor used so far, kernel and user. */
  readonly cpuMs: number;
}

/** Creation time, and whether the process has ended: one that has ended stays in the table while somebody holds a handle. */
export function timesOf(native: Native, handle: Handle): Times | null {
  const [created, exited, kernel, user] = [0, 0, 0, 0].map(() => Buffer.alloc(8));
  if (created === undefined || exited === undefined || kernel === undefined || user === undefined)
    return null;
  if (native.call.GetProcessTimes(handle, created, exited, kernel, user) === 0n) return null;
  const code = exitCodeOf(native, handle);
  const createdTicks = created.readBigInt64LE();
  return {
    createdTicks,
    processStart: fileTimeToIso(createdTicks),
    cpuMs: Number((kernel.readBigInt64LE() + user.readBigInt64LE()) / TICKS_PER_MS),
    ended: exited.readBigInt64LE() !== 0n || (code !== null && code !== STILL_ACTIVE),
  };
}

/** The exit code as an unsigned number, 259 while it runs; null when it cannot be read. */
export function exitCodeOf(native: Native, handle: Handle): number | null {
  const code = Buffer.alloc(4);
  return native.call.GetExitCodeProcess(handle, code) === 0n ? null : code.readUInt32LE();
}

/** Full path of the image, or null. */
export function imageOf(native: Native, handle: Handle): string | null {
  const text = Buffer.alloc(LONGEST_PATH * 2);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(LONGEST_PATH);
  if (native.call.QueryFullProcessImageNameW(handle, 0, text, length) === 0n) return null;
  return text.toString("utf16le", 0, length.readUInt32LE() * 2);
}

/** The command line as it was given, or null. Systems before 8.1 do not know this question. */
export function commandLineOf(native: Native, handle: Handle): string | null {
  const used = Buffer.alloc(4);
  const { NtQueryInformationProcess: ask } = native.call;
  if (ask(handle, COMMAND_LINE_INFORMATION, null, 0, used) === 0n) return null;
  const buffer = Buffer.alloc(Math.min(Math.max(used.readUInt32LE(), 16), MOST_COMMAND_LINE_BYTES));
  const status = ask(handle, COMMAND_LINE_INFORMATION, buffer, buffer.length, used);
  return status === 0n ? unicodeString(buffer, native.addressOf(buffer)) : null;
}

function unicodeString(buffer: Buffer, address: bigint): string | null {
  const bytes = buffer.readUInt16LE(0);
  const start = Number(buffer.readBigUInt64LE(8) - address);
  return start < 16 || start + bytes > buffer.length
    ? null
    : buffer.toString("utf16le", start, start + bytes);
}

/** Address of the process environment block and the number of the parent. */
export function basicInformation(
  native: Native,
  handle: Handle,
): { readonly peb: bigint; readonly parentPid: number } | null {
  const buffer = Buffer.alloc(48);
  const used = Buffer.alloc(4);
  if (native.call.NtQueryInformationProcess(handle, BASIC_INFORMATION, buffer, buffer.length, used) !== 0n)
    return null;
  return { peb: buffer.readBigInt64LE(8), parentPid: Number(buffer.readBigUInt64LE(40)) };
}
