/** Fixed parts of the container (wire-format §3). */
export const LOCAL_SIGNATURE = 0x04034b50;
export const CENTRAL_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;
export const LOCAL_SIZE = 30;
export const CENTRAL_SIZE = 46;
export const END_SIZE = 22;
/** "Needed" and "made by" version, and the flag that says names are UTF-8. */
export const ZIP_VERSION = 20;
export const UTF8_FLAG = 0x0800;
/** Beyond these a ZIP needs its 64-bit extension, which this container does not have. */
export const MAX_ENTRIES = 65_535;
export const MAX_SIZE = 0xffffffff;

/** One stored file. */
export interface ZipEntry {
  readonly name: string;
  readonly data: Uint8Array;
}
