import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createEvidenceUploads,
  type EvidencePart,
} from "../../../../../main/console/acting/evidence-uploads.ts";
import {
  createFiledRequests,
  openFiledFile,
  type StoredRequest,
} from "../../../../../main/console/acting/people/filed-requests.ts";
import { keepEvidenceBytes } from "../../../../../main/console/evidence-files.ts";
import {
  CONSENT_EXPIRY_MS,
  EVIDENCE_MAX_BYTES,
  EVIDENCE_PART_BYTES,
  type Intent,
} from "../../../../../shared/api/index.ts";
import { operationPlan } from "../../../../../shared/domain/operations/index.ts";
import { code, value } from "../../../../support/console-fixture.ts";

let folder: string;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-aside-"));
  now = Date.parse("2026-09-05T03:00:00.000Z");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("files that are given in parts (decisions §3)", () => {
  const uploads = () =>
    createEvidenceUploads({
      keep: (name, bytes) => keepEvidenceBytes(join(folder, "evidence"), name, bytes),
      nowMs: () => now,
    });
  const part = (over: Partial<EvidencePart> = {}): EvidencePart => ({
    uploadId: randomUUID(),
    index: 0,
    last: false,
    name: "a.txt",
    base64: "aGk=",
    ...over,
  });

  it("are sixteen at once: a thousand that are never ended take no more memory, and go by themselves", async () => {
    const { keep } = uploads();
    const answers: (string | null)[] = [];
    for (let sent = 0; sent < 1_000; sent += 1) answers.push(code(await keep(part())));
    expect(answers.filter((each) => each === null)).toHaveLength(16);
    expect(new Set(answers.slice(16))).toEqual(new Set(["EVIDENCE_UPLOADS_TOO_MANY"]));
    now += 5 * 60_000 + 1;
    expect(value(await keep(part({ last: true })))).toMatchObject({ bytes: 2 });
  });

  it("do not hold their places for hours when the clock was set back", async () => {
    const { keep } = uploads();
    for (let sent = 0; sent < 16; sent += 1) value(await keep(part()));
    now -= 9 * 3_600_000;
    expect(code(await keep(part({ last: true })))).toBeNull();
  });

  it("end with the first part that is out of order, of another name, or too large", async () => {
    const { keep } = uploads();
    const full = Buffer.alloc(EVIDENCE_PART_BYTES, "x").toString("base64");
    const more = Buffer.alloc(EVIDENCE_PART_BYTES + 1, "x").toString("base64");
    const wrong: readonly (readonly [Partial<EvidencePart>, string])[] = [
      [{ index: 0 }, "EVIDENCE_PART_REFUSED"],
      [{ index: 2 }, "EVIDENCE_PART_REFUSED"],
      [{ index: 1, name: "b.txt" }, "EVIDENCE_PART_REFUSED"],
      [{ index: 1, name: "..\\a.txt" }, "EVIDENCE_PART_REFUSED"],
      [{ index: 1, name: "a.txt\u0000" }, "EVIDENCE_PART_REFUSED"],
      [{ index: 1, base64: more }, "EVIDENCE_PART_REFUSED"],
    ];
    for (const [over, expected] of wrong) {
      const first = part();
      value(await keep(first));
      expect(code(await keep({ ...first, ...over }))).toBe(expected);
      // Nothing of it is left to be gone on with.
      expect(code(await keep({ ...first, index: 1, last: true }))).toBe("EVIDENCE_PART_REFUSED");
    }
    const large = part({ base64: full });
    const most = EVIDENCE_MAX_BYTES / EVIDENCE_PART_BYTES;
    for (let index = 0; index < most; index += 1) value(await keep({ ...large, index }));
    expect(code(await keep({ ...large, index: most }))).toBe("EVIDENCE_FILE_TOO_LARGE");
  });
});

describe("a request that waits for consent (operator-ux §2.4)", () => {
  const intent: Intent = { kind: "close", runId: "netrun_1", reason: "dropped for good" };
  const request = (requestId: string): StoredRequest => ({
    requestId,
    intent,
    plan: operationPlan({
      operation: "CLOSE",
      subject: { runId: "netrun_1", businessKey: "k" },
      seen: {},
      readAt: new Date(now).toISOString(),
      refusals: [],
      evidence: [],
      writes: [],
      consequences: [],
    }),
    friction: { identifier: "k", armMs: 3_000, secondPerson: true, breakGlassSentence: null },
    typed: "k",
    requestedBy: "tanaka",
    filedBy: "tanaka",
    host: "HOST-A",
    filedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + CONSENT_EXPIRY_MS).toISOString(),
  });
  const filed = () => createFiledRequests(openFiledFile(folder), () => now);

  it.each([
    ["a moment before its end", CONSENT_EXPIRY_MS - 1, null],
    ["at its end", CONSENT_EXPIRY_MS, "CONSENT_REQUEST_GONE"],
    ["by a clock that was set back before it was filed", -1, "CONSENT_REQUEST_GONE"],
  ])("is taken %s: %s", async (_, laterMs, expected) => {
    const requestId = randomUUID();
    value(await filed().add(request(requestId)));
    now += laterMs;
    expect(code(await filed().take(requestId))).toBe(expected);
  });

  it("is taken once, and is what it was when it is filed again under its id", async () => {
    const requestId = randomUUID();
    const desk = filed();
    value(await desk.add(request(requestId)));
    const other = { ...request(requestId), intent: { ...intent, runId: "netrun_2" } };
    expect(value(await desk.add(other)).intent).toEqual(intent);
    const taken = await Promise.all([desk.take(requestId), desk.take(requestId)]);
    expect(taken.map(code)).toEqual([null, "CONSENT_REQUEST_GONE"]);
  });
});
