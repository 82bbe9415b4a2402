import type { Native } from "./native.ts";

/** One process of the system as its own table tells it; readable for every process without any right to it. */
export interface TableRow {
  readonly pid: number;
  readonly parentPid: number;
  /** FILETIME: 100 ns since 1601. */
  readonly createdTicks: bigint;
  /** Name of the image without its path. */
  readonly name: string;
}

const SYSTEM_PROCESS_INFORMATION = 5;
const STATUS_INFO_LENGTH_MISMATCH = -1_073_741_820n; // 0xC0000004
const FIRST_GUESS_BYTES = 512 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;

/** Offsets of SYSTEM_PROCESS_INFORMATION on 64-bit Windows. */
const AT = {
  next: 0,
  threads: 4,
  createTime: 32,
  nameBytes: 56,
  nameAddress: 64,
  pid: 80,
  parent: 88,
} as const;
const ROW_BYTES = 96;

/** The table of all processes in one look, or null when the system does not give it. */
export function readProcessTable(native: Native): readonly TableRow[] | null {
  const used = Buffer.alloc(4);
  for (let size = FIRST_GUESS_BYTES; size <= MOST_BYTES; size *= 2) {
    const buffer = Buffer.alloc(size);
    const status = native.call.NtQuerySystemInformation(SYSTEM_PROCESS_INFORMATION, buffer, size, used);
    if (status === 0n) return parseProcessTable(buffer, native.addressOf(buffer));
    if (status !== STATUS_INFO_LENGTH_MISMATCH) return null;
  }
  return null;
}

/**
 * Reads the rows out of the system's answer. `address` is where the buffer lay when it was filled: names are told as
 * addresses within it. A row without threads has ended. Pure.
 */
export function parseProcessTable(buffer: Buffer, address: bigint): readonly TableRow[] {
  const rows: TableRow[] = [];
  let at = 0;
  while (at + ROW_BYTES <= buffer.length) {
    const pid = Number(buffer.readBigUInt64LE(at + AT.pid));
    if (pid !== 0 && buffer.readUInt32LE(at + AT.threads) > 0) {
      rows.push({
        pid,
        parentPid: Number(buffer.readBigUInt64LE(at + AT.parent)),
        createdTicks: buffer.readBigInt64LE(at + AT.createTime),
        name: nameAt(buffer, at, address),
      });
    }
    const next = buffer.readUInt32LE(at + AT.next);
    if (next === 0) break;
    at += next;
  }
  return rows;
}

function nameAt(buffer: Buffer, at: number, address: bigint): string {
  const bytes = buffer.readUInt16LE(at + AT.nameBytes);
  const start = Number(buffer.readBigUInt64LE(at + AT.nameAddress) - address);
  if (start < 0 || start + bytes > buffer.length) return "";
  return buffer.toString("utf16le", start, start + bytes);
}
