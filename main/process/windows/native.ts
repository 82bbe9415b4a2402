import { createRequire } from "node:module";
import type * as Koffi from "koffi";
import { errorText } from "../../../shared/domain/problem.ts";
import { SIGNATURES, type SystemCall } from "./signatures.ts";

/** A handle or an address of Windows, as a signed number of 64 bits: pseudo handles are negative. */
export type Handle = bigint;
/** What a system call takes: numbers, and buffers for everything that is a pointer. */
export type Argument = number | bigint | Buffer | null;

/** The calls of {@link SIGNATURES}; every answer is a whole number. */
export interface Native {
  readonly call: Readonly<Record<SystemCall, (...args: readonly Argument[]) => bigint>>;
  /** Where the bytes of a buffer lie, for structures that hold pointers; valid while the buffer is kept. */
  addressOf(buffer: Buffer): bigint;
  /**
   * A function of ours (WAITORTIMERCALLBACK) that the system may call from any of its threads; it then runs on this one
   * with the number it was registered with.
   */
  callback(run: (context: number) => void): { readonly address: bigint; release(): void };
}

export type NativeLoad =
  | { readonly kind: "loaded"; readonly native: Native }
  /** Every fact that needs the system is then "cannot tell", with this reason. */
  | { readonly kind: "unavailable"; readonly reason: string };

/**
 * Gives the system calls on first use, so that other systems never load the package, and the same answer ever
 * after. `require` and not `import`: an inspector answers at once, and a bundler leaves it where it is (the
 * package looks for its platform's part beside itself; architecture §6).
 */
export function lazyNative(load: () => typeof Koffi = requireKoffi): () => NativeLoad {
  let loaded: NativeLoad | null = null;
  return () => {
    loaded ??= attempt(load);
    return loaded;
  };
}

function requireKoffi(): typeof Koffi {
  return createRequire(import.meta.url)("koffi");
}

function attempt(load: () => typeof Koffi): NativeLoad {
  try {
    return { kind: "loaded", native: bind(load()) };
  } catch (error) {
    return {
      kind: "unavailable",
      reason: `The calls of Windows cannot be reached from this program: ${errorText(error)}`,
    };
  }
}

function bind(koffi: typeof Koffi): Native {
  // Structures are read by offset, and the offsets are those of 64-bit systems.
  if (koffi.sizeof("void *") !== 8) throw new TypeError("this program is not a 64-bit one");
  const libraries = new Map<string, Koffi.LibraryHandle>();
  const libraryOf = (name: string): Koffi.LibraryHandle => {
    const known = libraries.get(name) ?? koffi.load(name);
    libraries.set(name, known);
    return known;
  };
  const bound = Object.entries(SIGNATURES).map(([name, [library, result, parameters]]) => {
    const raw = libraryOf(library).func(name, result, [...parameters]);
    return [name, (...args: readonly Argument[]) => toWhole(raw(...args))] as const;
  });
  const waitCallback = koffi.pointer(koffi.proto("void", ["intptr_t", "uint8_t"]));
  return {
    call: withEveryCall(Object.fromEntries(bound)),
    addressOf: (buffer) => koffi.address(buffer),
    callback: (run) => {
      const address = koffi.register((context: number | bigint) => run(Number(context)), waitCallback);
      return { address, release: () => koffi.unregister(address) };
    },
  };
}

function toWhole(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return BigInt(value);
  throw new TypeError("a system call answered with something else than a number");
}

type Calls = Native["call"];

function withEveryCall(calls: Readonly<Record<string, Calls[SystemCall]>>): Calls {
  const missing = Object.keys(SIGNATURES).filter((name) => calls[name] === undefined);
  if (missing.length > 0) throw new TypeError(`not bound: ${missing.join(", ")}`);
  return calls as Calls;
}

/** A text as Windows takes it: UTF-16 with a zero behind it. */
export function wide(text: string): Buffer {
  return Buffer.from(`${text}\0`, "utf16le");
}
