import { codeOfError } from "./error-codes.ts";
import { type Handle, type Native, wide } from "./native.ts";
import type { StandardStreams } from "./output-files.ts";

const SUSPENDED = 0x0000_0004;
const NEW_PROCESS_GROUP = 0x0000_0200;
const UNICODE_ENVIRONMENT = 0x0000_0400;
const EXTENDED_STARTUP = 0x0008_0000;
const BREAKAWAY_FROM_JOB = 0x0100_0000;
/** A console that nobody sees: console events can reach the child, and what it starts opens no window. */
const NO_WINDOW = 0x0800_0000;
const USE_STANDARD_HANDLES = 0x0100;
const HANDLE_LIST = 0x0002_0002;
const STARTUP_BYTES = 112;
const ACCESS_DENIED = "EACCES";

export interface CreateSpec {
  /** Full path of the program. */
  readonly application: string;
  readonly commandLine: string;
  readonly cwd: string;
  readonly environment: Buffer;
  readonly streams: StandardStreams;
}

/** A process that exists and has not run yet. */
export interface Suspended {
  readonly kind: "created";
  readonly process: Handle;
  readonly thread: Handle;
  readonly pid: number;
  /** Within a job object of somebody else that did not let it go: it may end with that job. */
  readonly keptInForeignJob: boolean;
}

export type Created = Suspended | { readonly kind: "failed"; readonly code: string };

/**
 * Creates a process that waits: with a hidden console and a process group of its own (decisions §3, "Cancelling a
 * child"), inheriting its three streams and nothing else, and outside of a job object this program itself is in.
 */
export function createSuspended(native: Native, spec: CreateSpec): Created {
  const free = create(native, spec, BREAKAWAY_FROM_JOB);
  // A job object that lets nothing out refuses the whole creation; the same answer may mean the program, too.
  if (free.kind === "created" || free.code !== ACCESS_DENIED) return free;
  const kept = create(native, spec, 0);
  return kept.kind === "created" ? { ...kept, keptInForeignJob: true } : kept;
}

function create(native: Native, spec: CreateSpec, moreFlags: number): Created {
  const { streams } = spec;
  const handles = words([streams.input, streams.output, streams.error]);
  const attributes = attributeList(native, handles);
  if (attributes === null) return { kind: "failed", code: codeOfError(native.call.GetLastError()) };
  const startup = Buffer.alloc(STARTUP_BYTES);
  startup.writeUInt32LE(STARTUP_BYTES, 0);
  startup.writeUInt32LE(USE_STANDARD_HANDLES, 60);
  handles.copy(startup, 80);
  startup.writeBigInt64LE(native.addressOf(attributes), 104);
  const made = Buffer.alloc(24);
  const flags =
    SUSPENDED | NEW_PROCESS_GROUP | UNICODE_ENVIRONMENT | EXTENDED_STARTUP | NO_WINDOW | moreFlags;
  const ok = native.call.CreateProcessW(
    wide(spec.application),
    wide(spec.commandLine),
    null,
    null,
    1,
    flags,
    spec.environment,
    wide(spec.cwd),
    startup,
    made,
  );
  const error = ok === 0n ? native.call.GetLastError() : null;
  native.call.DeleteProcThreadAttributeList(attributes);
  if (error !== null) return { kind: "failed", code: codeOfError(error) };
  return {
    kind: "created",
    process: made.readBigInt64LE(0),
    thread: made.readBigInt64LE(8),
    pid: made.readUInt32LE(16),
    keptInForeignJob: false,
  };
}

/** The list that lets the child inherit exactly these handles; `handles` has to be kept until it was created. */
function attributeList(native: Native, handles: Buffer): Buffer | null {
  const size = Buffer.alloc(8);
  native.call.InitializeProcThreadAttributeList(null, 1, 0, size);
  const list = Buffer.alloc(Number(size.readBigUInt64LE()));
  if (list.length === 0 || native.call.InitializeProcThreadAttributeList(list, 1, 0, size) === 0n)
    return null;
  const { UpdateProcThreadAttribute: update } = native.call;
  return update(list, 0, HANDLE_LIST, handles, handles.length, null, null) === 0n ? null : list;
}

function words(values: readonly bigint[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  for (const [at, value] of values.entries()) buffer.writeBigInt64LE(value, at * 8);
  return buffer;
}
