import { utf8 } from "../domain/hash.ts";
import { fail, ok, type Result } from "../domain/problem.ts";
import { crc32 } from "./crc32.ts";
import {
  CENTRAL_SIGNATURE,
  CENTRAL_SIZE,
  END_SIGNATURE,
  END_SIZE,
  LOCAL_SIGNATURE,
  LOCAL_SIZE,
  MAX_ENTRIES,
  MAX_SIZE,
  UTF8_FLAG,
  ZIP_VERSION,
  type ZipEntry,
} from "./zip-format.ts";

interface Placed {
  readonly name: Uint8Array;
  readonly data: Uint8Array;
  readonly crc: number;
  readonly offset: number;
}

/**
 * A ZIP of the entries in the given order, stored, without times or host data: the same entries give the
 * same bytes (wire-format §3). Error: `BUNDLE_INPUT_INVALID` beyond the limits of a plain ZIP.
 */
export function writeZip(entries: readonly ZipEntry[]): Result<Uint8Array<ArrayBuffer>> {
  const placed: Placed[] = [];
  let offset = 0;
  for (const { name, data } of entries) {
    const nameBytes = utf8(name);
    placed.push({ name: nameBytes, data, crc: crc32(data), offset });
    offset += LOCAL_SIZE + nameBytes.length + data.length;
  }
  const centralSize = placed.reduce((size, { name }) => size + CENTRAL_SIZE + name.length, 0);
  const total = offset + centralSize + END_SIZE;
  if (entries.length > MAX_ENTRIES || total > MAX_SIZE) {
    return fail({
      code: "BUNDLE_INPUT_INVALID",
      message: `The bundle would have ${entries.length} files and ${total} bytes, more than a plain ZIP holds.`,
      place: "bundle",
    });
  }
  return ok(assemble(placed, offset, centralSize, total));
}

function assemble(placed: readonly Placed[], centralOffset: number, centralSize: number, total: number) {
  const zip = new Uint8Array(total);
  const view = new DataView(zip.buffer);
  let central = centralOffset;
  for (const entry of placed) {
    writeLocal(view, zip, entry);
    central = writeCentral(view, zip, entry, central);
  }
  view.setUint32(central, END_SIGNATURE, true);
  view.setUint16(central + 8, placed.length, true);
  view.setUint16(central + 10, placed.length, true);
  view.setUint32(central + 12, centralSize, true);
  view.setUint32(central + 16, centralOffset, true);
  return zip;
}

/** Version, flags, CRC, sizes and name length: the part both headers share. Method, times and extras stay 0. */
function writeCommon(view: DataView, at: number, entry: Placed): void {
  view.setUint16(at, ZIP_VERSION, true);
  view.setUint16(at + 2, UTF8_FLAG, true);
  view.setUint32(at + 10, entry.crc, true);
  view.setUint32(at + 14, entry.data.length, true);
  view.setUint32(at + 18, entry.data.length, true);
  view.setUint16(at + 22, entry.name.length, true);
}

function writeLocal(view: DataView, zip: Uint8Array, entry: Placed): void {
  view.setUint32(entry.offset, LOCAL_SIGNATURE, true);
  writeCommon(view, entry.offset + 4, entry);
  zip.set(entry.name, entry.offset + LOCAL_SIZE);
  zip.set(entry.data, entry.offset + LOCAL_SIZE + entry.name.length);
}

function writeCentral(view: DataView, zip: Uint8Array, entry: Placed, at: number): number {
  view.setUint32(at, CENTRAL_SIGNATURE, true);
  view.setUint16(at + 4, ZIP_VERSION, true);
  writeCommon(view, at + 6, entry);
  view.setUint32(at + 42, entry.offset, true);
  zip.set(entry.name, at + CENTRAL_SIZE);
  return at + CENTRAL_SIZE + entry.name.length;
}
