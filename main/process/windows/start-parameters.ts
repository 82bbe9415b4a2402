import type { Handle, Native } from "./native.ts";
import { basicInformation, commandLineOf } from "./process-facts.ts";

/** Offsets in the 64-bit process environment block and in the parameters it points to. */
const PARAMETERS_IN_PEB = 0x20n;
const COMMAND_LINE_IN_PARAMETERS = 0x70n;
const ENVIRONMENT_IN_PARAMETERS = 0x80n;
const SIZE_IN_PARAMETERS = 0x3f0n;
const MOST_BYTES = 1024 * 1024;

/** What a process was started with; null where it cannot be read. */
export interface StartParameters {
  readonly commandLine: string | null;
  /** `NAME=value`, separated by NUL. */
  readonly environment: string | null;
}

/**
 * Command line and environment of another process: the token of an attempt stands there. The handle needs the right
 * to read memory for the environment, for which there is no documented call; the layout has been the same since
 * Windows Vista, and a wrong guess reads as "not readable", never as the words of another process.
 */
export function startParametersOf(native: Native, handle: Handle): StartParameters {
  const parameters = parametersAddress(native, handle);
  return {
    commandLine:
      commandLineOf(native, handle) ??
      (parameters === null ? null : textAt(native, handle, parameters + COMMAND_LINE_IN_PARAMETERS)),
    environment: parameters === null ? null : environmentAt(native, handle, parameters),
  };
}

function parametersAddress(native: Native, handle: Handle): bigint | null {
  const peb = basicInformation(native, handle)?.peb ?? 0n;
  return peb === 0n ? null : readWord(native, handle, peb + PARAMETERS_IN_PEB);
}

function textAt(native: Native, handle: Handle, address: bigint): string | null {
  const head = read(native, handle, address, 16);
  if (head === null) return null;
  const bytes = head.readUInt16LE(0);
  return bytes === 0
    ? null
    : (read(native, handle, head.readBigInt64LE(8), bytes)?.toString("utf16le") ?? null);
}

function environmentAt(native: Native, handle: Handle, parameters: bigint): string | null {
  const address = readWord(native, handle, parameters + ENVIRONMENT_IN_PARAMETERS);
  const size = readWord(native, handle, parameters + SIZE_IN_PARAMETERS);
  if (address === null || size === null || size < 0n || size > BigInt(MOST_BYTES)) return null;
  return read(native, handle, address, Number(size))?.toString("utf16le") ?? null;
}

/** Null for zero too: nothing lies there. */
function readWord(native: Native, handle: Handle, address: bigint): bigint | null {
  const value = read(native, handle, address, 8)?.readBigInt64LE() ?? 0n;
  return value === 0n ? null : value;
}

function read(native: Native, handle: Handle, address: bigint, bytes: number): Buffer | null {
  const buffer = Buffer.alloc(bytes);
  const done = Buffer.alloc(8);
  const ok = native.call.ReadProcessMemory(handle, address, buffer, bytes, done);
  return ok !== 0n && Number(done.readBigUInt64LE()) === bytes ? buffer : null;
}
