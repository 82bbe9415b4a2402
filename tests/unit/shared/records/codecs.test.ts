import { describe, expect, it } from "vitest";
import type { Result } from "../../../../shared/domain/problem.ts";
import {
  attemptCodec,
  holdCodec,
  invocationCodec,
  lockCodec,
  nodeStateCodec,
  operationAuditCodec,
  repairAudit,
  resolutionCodec,
  runCodec,
  type WireRecord,
} from "../../../../shared/records/index.ts";
import * as samples from "./samples.ts";
import { asRead, HOSTILE, REF } from "./samples.ts";

const audit = repairAudit({
  eventId: "e1",
  repairType: "TERMINAL_ATTEMPT_APPLIED",
  runId: samples.run.runId,
  targetType: "NODE_STATE",
  targetId: "nodestate_1",
  before: { status: "RUNNING" },
  after: { status: HOSTILE },
  basis: "attempt",
  occurredAt: "2026-09-01T00:00:09.250Z",
});

interface Case {
  readonly name: string;
  readonly entity: object;
  readonly wire: WireRecord;
  readonly decode: (wire: unknown) => Result<object>;
  /** A column the codec reads, with a value it must refuse. */
  readonly spoiled: readonly [string, unknown];
  /** Columns whose empty form is null. */
  readonly nullable: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "NETWORK_RUN",
    entity: samples.run,
    wire: runCodec.encode(samples.run),
    decode: runCodec.decode,
    spoiled: ["status", "BLOCKED"],
    nullable: ["started_at", "finished_at"],
  },
  {
    name: "NODE_STATE",
    entity: samples.nodeState,
    wire: nodeStateCodec.encode(samples.nodeState),
    decode: nodeStateCodec.decode,
    spoiled: ["blocked_by", "[1]"],
    nullable: ["finished_at", "active_attempt_id"],
  },
  {
    name: "NETWORK_LOCK",
    entity: samples.lock,
    wire: { ...lockCodec.encode(samples.lock), finished_at: { value: "" } },
    decode: lockCodec.decode,
    spoiled: ["revision", "two"],
    nullable: ["finished_at"],
  },
  {
    name: "CANCEL_REQUEST",
    entity: samples.hold,
    wire: holdCodec.encode(samples.hold),
    decode: holdCodec.decode,
    spoiled: ["status_reason", '{"state":"REQUESTED"}'],
    nullable: [],
  },
  {
    name: "RUN_INVOCATION",
    entity: samples.invocation,
    wire: invocationCodec.encode(samples.invocation),
    decode: invocationCodec.decode,
    spoiled: ["mode", "AGAIN"],
    nullable: ["finished_at"],
  },
  {
    name: "NODE_ATTEMPT",
    entity: samples.attempt,
    wire: attemptCodec.encode(samples.attempt),
    decode: attemptCodec.decode,
    spoiled: ["attempt_no", ""],
    nullable: ["last_written_key"],
  },
  {
    name: "ATTEMPT_RESOLUTION",
    entity: samples.resolution,
    wire: resolutionCodec.encode(samples.resolution),
    decode: resolutionCodec.decode,
    spoiled: ["reason", "not json"],
    nullable: ["approved_by"],
  },
  {
    name: "OPERATION_AUDIT",
    entity: audit,
    wire: operationAuditCodec.encode(audit),
    decode: operationAuditCodec.decode,
    spoiled: ["reason", '{"event_type":"RUN_ARCHIVED"}'],
    nullable: [],
  },
];

describe.each(CASES)("$name codec (wire-format §1)", ({ entity, wire, decode, spoiled, nullable }) => {
  it("reads back what it wrote, hostile values and minute times included", () => {
    expect(decode(asRead(wire))).toEqual({ ok: true, value: { ...entity, ref: REF } });
  });

  it("ignores columns it does not know and reads an unset column as null in both of kintone's forms", () => {
    for (const empty of ["", null]) {
      const unset = Object.fromEntries(nullable.map((code) => [code, { value: empty }]));
      expect(decode(asRead(wire, { ...unset, extra: { value: [1] } }))).toEqual({
        ok: true,
        value: { ...entity, ref: REF },
      });
    }
  });

  it("names record and field when a column it reads cannot be understood", () => {
    const [code, value] = spoiled;
    const answer = decode(asRead(wire, { [code]: { value } }));
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RECORD_UNREADABLE", place: `record 12 (revision ${REF.revision}), field ${code}` },
    });
  });

  it("refuses a missing column, another record type and anything that is not a record, without an exception", () => {
    const { [spoiled[0]]: _gone, ...rest } = asRead(wire);
    const hostile = [
      rest,
      asRead(wire, { record_type: { value: "OTHER" } }),
      null,
      undefined,
      "x",
      7,
      [],
      {},
    ];
    for (const value of hostile) {
      expect(decode(value)).toMatchObject({ ok: false, error: { code: "RECORD_UNREADABLE" } });
    }
  });

  it("refuses a record whose $id or $revision cannot be read", () => {
    for (const broken of [{ $id: { value: "x" } }, { $revision: { value: "0" } }, { $revision: undefined }]) {
      expect(decode(asRead(wire, broken)).ok).toBe(false);
    }
  });
});

describe("an Attempt as the peer stores it (wire-format §1.2)", () => {
  it("has no started_at: the peer leaves the column empty, so nothing of ours may need or fill it", () => {
    const wire = attemptCodec.encode(samples.attempt);
    expect(wire).not.toHaveProperty("started_at");
    const peer = { ...samples.asRead(wire), started_at: { value: "" } };
    expect(attemptCodec.decode(peer)).toMatchObject({
      ok: true,
      value: { attemptId: samples.attempt.attemptId },
    });
  });
});
