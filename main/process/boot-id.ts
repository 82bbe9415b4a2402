import { readFileSync } from "node:fs";
import { lazyNative, type Native, type NativeLoad } from "./windows/native.ts";

const TIME_OF_DAY_INFORMATION = 3;
const BOOT_TIME_AT = 0;
const BOOT_BIAS_AT = 32;
const INFORMATION_BYTES = 48;

/**
 * What differs between two boots of this host and stays the same within one; null where the system does not tell, and
 * then no two boots may be called equal (decisions §3). Linux names its boots. On Windows it is the time of the boot
 * without the corrections the clock got since.
 */
export function systemBootId(
  platform: NodeJS.Platform = process.platform,
  load: () => NativeLoad = lazyNative(),
  bootIdPath = "/proc/sys/kernel/random/boot_id",
): string | null {
  if (platform !== "win32") return readBootId(bootIdPath);
  const loaded = load();
  return loaded.kind === "loaded" ? windowsBootId(loaded.native) : null;
}

function readBootId(path: string): string | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? null : text;
  } catch {
    return null;
  }
}

function windowsBootId(native: Native): string | null {
  const buffer = Buffer.alloc(INFORMATION_BYTES);
  const used = Buffer.alloc(4);
  const { NtQuerySystemInformation: ask } = native.call;
  if (ask(TIME_OF_DAY_INFORMATION, buffer, buffer.length, used) !== 0n) return null;
  const boot = buffer.readBigInt64LE(BOOT_TIME_AT);
  return boot === 0n ? null : `windows-${(boot - buffer.readBigInt64LE(BOOT_BIAS_AT)).toString(16)}`;
}
