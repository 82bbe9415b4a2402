import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sha256Hex } from "../../shared/domain/hash.ts";
import { appFields } from "../../shared/records/index.ts";
import type { KintoneTransport } from "../kintone-client/index.ts";
import type { Clock } from "../store/index.ts";
import { type DataDir, writePrivateFile } from "./data-dir.ts";
import type { Connection } from "./environment.ts";
import { programVersion } from "./program-version.ts";
import { parseJson, readTextFile } from "./workspace-config.ts";

/**
 * How long a check of a connection is believed, milliseconds. What it proves can be undone by a person in kintone's own
 * settings at any time, so the shorter the better; a poller started every five minutes still pays it once in twelve.
 */
export const CHECK_BELIEVED_MS = 3_600_000;

const keptCheckSchema = z.strictObject({
  kind: z.literal("FLOWNET_CHECKED_CONNECTION"),
  formatVersion: z.literal(1),
  /** Of everything the check rests on; no part of it can be read out of it. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  checkedAt: z.iso.datetime(),
});

/** What an earlier process of this data folder found out about a connection. */
export interface CheckedConnection {
  /** The same connection was checked by the same program a short while ago, and answered everything since. */
  isFresh(): Promise<boolean>;
  keep(): Promise<void>;
  /** The transport; its first answer that is none forgets the check before it is passed on. */
  watched(transport: KintoneTransport): KintoneTransport;
}

/**
 * Remembers in the data folder that a connection was checked, so that a command that lives for three requests does not
 * make seven to begin with (fenced-writes section 4). It is believed for {@link CHECK_BELIEVED_MS} only, for the same
 * address, apps, tokens and way, by the same version of program and template; a clock that went back believes nothing, and
 * any refused or lost answer forgets it.
 *
 * What that risks: a right or a field taken away meanwhile is noticed by the write itself, which kintone then refuses as a
 * whole; nothing is written by halves. A unique field that was made an ordinary one is not noticed until the next check:
 * two orchestrators that start in the same moment could then both take the Network lock. Only an administrator of the app
 * can do that, and against a change made after it a full check would protect no better.
 */
export function createCheckedConnection(
  dataDir: Pick<DataDir, "root">,
  connection: Connection,
  clock: Pick<Clock, "nowMs">,
): CheckedConnection {
  const { baseUrl, profile } = connection;
  const place = sha256Hex(JSON.stringify([baseUrl, profile])).slice(0, 12);
  const path = join(dataDir.root, `checked-${place}.json`);
  const digest = digestOf(connection);

  const forget = (): Promise<void> => rm(path, { force: true });

  return {
    async isFresh() {
      const text = await readTextFile(path).catch(() => null);
      const kept = text === null ? null : keptCheckSchema.safeParse(parseJson(text));
      if (kept?.success !== true || kept.data.digest !== digest) return false;
      const ageMs = clock.nowMs() - Date.parse(kept.data.checkedAt);
      return ageMs >= 0 && ageMs <= CHECK_BELIEVED_MS;
    },
    async keep() {
      const checkedAt = new Date(clock.nowMs()).toISOString();
      const body = { kind: "FLOWNET_CHECKED_CONNECTION", formatVersion: 1, digest, checkedAt };
      // A folder that takes no file costs the next command a check, and nothing else.
      await writePrivateFile(path, `${JSON.stringify(body)}\n`).catch(() => undefined);
    },
    watched(transport) {
      let forgotten = false;
      return {
        async send(operation, options) {
          const answer = await transport.send(operation, options);
          if (answer.kind !== "ok" && !forgotten) {
            forgotten = true;
            await forget();
          }
          return answer;
        },
      };
    },
  };
}

/** Everything a check's result may depend on. Tokens are long random texts: their digest tells nothing about them. */
function digestOf({ baseUrl, state, audit, jobLog, reach }: Connection): string {
  const templates = (["state", "audit", "jobLog"] as const).map((role) => appFields(role, null));
  return sha256Hex(
    JSON.stringify([programVersion(), templates, baseUrl, state, audit, jobLog, reach ?? null]),
  );
}
