import { toNamespacedPath } from "node:path";
import { codeOfError } from "./error-codes.ts";
import { type Handle, type Native, wide } from "./native.ts";

const APPEND = 0x0004;
const SYNCHRONIZE = 0x0010_0000;
const READ_ATTRIBUTES = 0x0080;
const GENERIC_READ = 0x8000_0000;
const SHARE_ALL = 7;
const CREATE_NEW = 1;
const OPEN_EXISTING = 3;
const NORMAL = 0x80;
const INVALID = -1n;

/** The three standard streams of a child, to be inherited by it and by nobody else. */
export interface StandardStreams {
  readonly input: Handle;
  readonly output: Handle;
  readonly error: Handle;
  close(): void;
}

export type OpenedStreams =
  | { readonly kind: "opened"; readonly streams: StandardStreams }
  | { readonly kind: "failed"; readonly code: string; readonly created: readonly string[] };

/**
 * Opens the null device for reading and creates both output files. They are opened for appending alone, so that the
 * child always writes at the end, also after this program has shortened a file; and shared in every way, so that they
 * can be read, moved and removed while it writes.
 */
export function openStreams(native: Native, stdoutPath: string, stderrPath: string): OpenedStreams {
  const opened: Handle[] = [];
  const created: string[] = [];
  const open = (path: string, access: number, disposition: number): Handle | null => {
    const handle = native.call.CreateFileW(
      wide(path),
      access,
      SHARE_ALL,
      inheritable(),
      disposition,
      NORMAL,
      0n,
    );
    if (handle === INVALID) return null;
    opened.push(handle);
    return handle;
  };
  const append = (path: string): Handle | null => {
    const handle = open(toNamespacedPath(path), APPEND | SYNCHRONIZE | READ_ATTRIBUTES, CREATE_NEW);
    if (handle !== null) created.push(path);
    return handle;
  };
  const close = (): void => {
    for (const handle of opened) native.call.CloseHandle(handle);
  };
  const input = open("NUL", GENERIC_READ, OPEN_EXISTING);
  const output = input === null ? null : append(stdoutPath);
  const error = output === null ? null : append(stderrPath);
  if (input === null || output === null || error === null) {
    const code = codeOfError(native.call.GetLastError());
    close();
    return { kind: "failed", code, created };
  }
  return { kind: "opened", streams: { input, output, error, close } };
}

/** SECURITY_ATTRIBUTES with the rights of the folder and the permission to inherit. */
function inheritable(): Buffer {
  const attributes = Buffer.alloc(24);
  attributes.writeUInt32LE(attributes.length, 0);
  attributes.writeUInt32LE(1, 16);
  return attributes;
}
