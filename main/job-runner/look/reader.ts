import { FlowError, ok, type Result } from "../../../shared/domain/problem.ts";
import {
  appsOf,
  type KintoneOperation,
  type KintoneRequest,
  type KintoneTransport,
  requireValue,
} from "../../kintone-client/index.ts";
import { openTransport } from "../cli/connect.ts";
import { knownApps, loadProfile } from "../config.ts";
import { type JobTarget, targetsOf } from "./targets.ts";

/** The runner's own view of the business data, for looking only. */
export interface JobReader {
  /** IANA name; null where the configuration leaves it to the host. */
  readonly timeZone: string | null;
  /** Error: `JOB_SCRIPT_UNREADABLE`. */
  targets(script: string): Result<readonly JobTarget[]>;
  /**
   * One read with the configuration's own tokens. Throws `FlowError`: `STORE_REFUSED`, `STORE_UNREACHABLE`; anything that
   * is no read is refused before it is sent (`NOT_A_READ`).
   */
  read<T>(operation: KintoneOperation<T>, what: string, signal?: AbortSignal): Promise<T>;
  /** Waits for the requests on their way, within a bound. */
  dispose(): Promise<void>;
}

export interface JobReaderInput {
  readonly configPath: string;
  readonly profile: string;
  /** Values of the variables the configuration names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told of each request as it leaves: where to, and which apps it asks. */
  readonly sending?: (baseUrl: string, apps: readonly number[]) => void;
}

const READS: ReadonlySet<KintoneRequest["kind"]> = new Set(["getRecords", "getFormFields", "getApp"]);

/** Opens the runner's configuration for looking (execution-contract §12). Error: `CONFIG_ERROR`. Whoever opens disposes. */
export function openJobReader(input: JobReaderInput): Result<JobReader> {
  const loaded = loadProfile(input.configPath, input.profile, input.environment);
  if (!loaded.ok) return loaded;
  const { profile } = loaded.value;
  const apps = knownApps(profile);
  const transport = openTransport(profile);
  const told: Pick<KintoneTransport, "send"> = {
    send(operation, options) {
      input.sending?.(profile.baseUrl, appsOf(operation.request));
      return transport.send(operation, options);
    },
  };
  return ok({
    timeZone: profile.timezone,
    targets: (script) => targetsOf(script, apps),
    read: (operation, what, signal) => readOnly(told, operation, what, signal),
    dispose: async () => transport[Symbol.asyncDispose](),
  });
}

/** Not a rule of whoever asks but of this way: its tokens may write, and nothing here ever does. */
async function readOnly<T>(
  transport: Pick<KintoneTransport, "send">,
  operation: KintoneOperation<T>,
  what: string,
  signal?: AbortSignal,
): Promise<T> {
  if (!READS.has(operation.request.kind)) {
    throw new FlowError({
      code: "NOT_A_READ",
      message: `Only reads are sent from here, and this is none: ${operation.request.kind}. Nothing was sent.`,
      place: what,
    });
  }
  return requireValue(await transport.send(operation, signal === undefined ? {} : { signal }), what);
}
