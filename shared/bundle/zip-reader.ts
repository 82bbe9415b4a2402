import { fail, ok, type Result } from "../domain/problem.ts";
import { crc32 } from "./crc32.ts";
import { decodeUtf8 } from "./utf8.ts";
import {
  CENTRAL_SIGNATURE,
  CENTRAL_SIZE,
  END_SIGNATURE,
  END_SIZE,
  LOCAL_SIGNATURE,
  LOCAL_SIZE,
  UTF8_FLAG,
  type ZipEntry,
} from "./zip-format.ts";

const invalid = (what: string, place: string): Result<never> =>
  fail({
    code: "BUNDLE_ZIP_INVALID",
    message: `The bundle is not a ZIP of the agreed form: ${what}. Its content is not used.`,
    place,
    remedy: "Download the bundle again; if it stays like this, treat the stored bundle as damaged.",
  });

interface Directory {
  readonly count: number;
  readonly offset: number;
  readonly end: number;
}

/** The end record has to close the file: nothing after it, no comment, one disk (wire-format §3). */
function readEnd(view: DataView): Result<Directory> {
  const at = view.byteLength - END_SIZE;
  if (at < 0 || view.getUint32(at, true) !== END_SIGNATURE)
    return invalid("no end record at its end", "end record");
  const disks = view.getUint32(at + 4, true);
  const count = view.getUint16(at + 10, true);
  const size = view.getUint32(at + 12, true);
  const offset = view.getUint32(at + 16, true);
  if (disks !== 0 || view.getUint16(at + 8, true) !== count)
    return invalid("more than one disk", "end record");
  if (view.getUint16(at + 20, true) !== 0) return invalid("it has a comment", "end record");
  if (offset + size !== at) return invalid("the directory is not where it should be", "end record");
  return ok({ count, offset, end: at });
}

interface Header {
  readonly name: string;
  readonly nameLength: number;
  readonly crc: number;
  readonly size: number;
  /** The shared part of both headers, to compare local and central. */
  readonly common: string;
}

/**
 * The 24 bytes from "version needed" to "extra length" that local and central header share, and the name.
 * Stored, UTF-8, no extra: anything else could not have been written by this format.
 */
function readHeader(
  view: DataView,
  at: number,
  nameAt: number,
  limit: number,
  place: string,
): Result<Header> {
  const nameLength = view.getUint16(at + 22, true);
  if (nameAt + nameLength > limit) return invalid("a name runs out of the file", place);
  const name = decodeUtf8(bytesOf(view, nameAt, nameLength));
  if (name === null || name === "") return invalid("a name is empty or not UTF-8", place);
  if (view.getUint16(at + 2, true) !== UTF8_FLAG) return invalid("unexpected flags", name);
  if (view.getUint16(at + 4, true) !== 0) return invalid("an entry is compressed", name);
  if (view.getUint16(at + 24, true) !== 0) return invalid("an entry has extra data", name);
  const size = view.getUint32(at + 14, true);
  if (view.getUint32(at + 18, true) !== size) return invalid("two sizes for a stored entry", name);
  const common = [...bytesOf(view, at, 26)].join(",");
  return ok({ name, nameLength, crc: view.getUint32(at + 10, true), size, common });
}

const bytesOf = (view: DataView, at: number, length: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + at, length);

interface CentralEntry extends Header {
  readonly localOffset: number;
  readonly next: number;
}

function readCentral(view: DataView, at: number, limit: number): Result<CentralEntry> {
  const place = `directory entry at byte ${at}`;
  if (at + CENTRAL_SIZE > limit || view.getUint32(at, true) !== CENTRAL_SIGNATURE) {
    return invalid("a directory entry is missing", place);
  }
  const header = readHeader(view, at + 6, at + CENTRAL_SIZE, limit, place);
  if (!header.ok) return header;
  // Comment length and disk number, then attributes: all 0 in this format.
  const rest = bytesOf(view, at + 32, 10);
  if (rest.some((byte) => byte !== 0)) return invalid("unexpected attributes", header.value.name);
  const localOffset = view.getUint32(at + 42, true);
  return ok({ ...header.value, localOffset, next: at + CENTRAL_SIZE + header.value.nameLength });
}

function readLocal(view: DataView, central: CentralEntry, limit: number): Result<ZipEntry> {
  const { name, localOffset: at } = central;
  if (at + LOCAL_SIZE > limit || view.getUint32(at, true) !== LOCAL_SIGNATURE) {
    return invalid("a local header is missing", name);
  }
  const local = readHeader(view, at + 4, at + LOCAL_SIZE, limit, name);
  if (!local.ok) return local;
  if (local.value.common !== central.common || local.value.name !== name) {
    return invalid("local header and directory disagree", name);
  }
  const dataAt = at + LOCAL_SIZE + local.value.nameLength;
  if (dataAt + central.size > limit) return invalid("an entry runs into the directory", name);
  const data = bytesOf(view, dataAt, central.size);
  if (crc32(data) !== central.crc) return invalid("a checksum does not match", name);
  return ok({ name, data });
}

/**
 * Entries of a bundle ZIP in directory order (wire-format §3, "Verification"). The entries have to fill the
 * file from its first byte to the directory without gap or overlap, so no byte escapes the checks; names are
 * unique. Error: `BUNDLE_ZIP_INVALID`. The data are views into `zip`.
 */
export function readZip(zip: Uint8Array): Result<readonly ZipEntry[]> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = readEnd(view);
  if (!end.ok) return end;
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let at = end.value.offset;
  let filled = 0;
  for (let index = 0; index < end.value.count; index++) {
    const central = readCentral(view, at, end.value.end);
    if (!central.ok) return central;
    const { name, nameLength, size, localOffset, next } = central.value;
    if (names.has(name)) return invalid("a name occurs twice", name);
    if (localOffset !== filled) return invalid("a gap or overlap between entries", name);
    const entry = readLocal(view, central.value, end.value.offset);
    if (!entry.ok) return entry;
    names.add(name);
    entries.push(entry.value);
    filled += LOCAL_SIZE + nameLength + size;
    at = next;
  }
  if (at !== end.value.end || filled !== end.value.offset) return invalid("unlisted bytes", "directory");
  return ok(entries);
}
