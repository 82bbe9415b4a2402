import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../../../shared/bundle/crc32.ts";
import {
  type BundleInput,
  buildBundle,
  canonicalJson,
  verifyBundle,
} from "../../../../shared/bundle/index.ts";
import { decodeUtf8 } from "../../../../shared/bundle/utf8.ts";
import { utf8 } from "../../../../shared/domain/hash.ts";
import type { Result } from "../../../../shared/domain/problem.ts";

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const input: BundleInput = {
  networkYaml: utf8("schema_version: 1\n"),
  jobs: [
    { nodeId: "a", jobId: "ja", sql: utf8("SELECT 1;\r\n") },
    { nodeId: "B", jobId: "jb", sql: new Uint8Array([0xef, 0xbb, 0xbf, 0xff, 0x00]) },
  ],
};

describe("execution bundle (wire-format §3)", () => {
  it("gives back exactly the bytes it was made of", () => {
    const bundle = value(buildBundle(input));
    const opened = value(verifyBundle(bundle.zip, bundle.zipSha256));
    expect(opened.networkYaml).toEqual(input.networkYaml);
    expect(opened.definitionSha256).toBe(bundle.definitionSha256);
    expect(opened.jobs.map(({ nodeId, jobId, sql }) => ({ nodeId, jobId, sql }))).toEqual([
      input.jobs[1],
      input.jobs[0],
    ]);
  });

  it("opens from the middle of a larger buffer", () => {
    const { zip } = value(buildBundle(input));
    const larger = new Uint8Array(zip.length + 20);
    larger.set(zip, 7);
    expect(verifyBundle(larger.subarray(7, 7 + zip.length), null).ok).toBe(true);
  });

  it("refuses every single changed byte, whichever it is, without the expected hash", () => {
    const { zip } = value(buildBundle(input));
    const accepted: number[] = [];
    for (let index = 0; index < zip.length; index++) {
      const changed = zip.slice();
      changed[index] = (changed[index] ?? 0) ^ 0x01;
      if (verifyBundle(changed, null).ok) accepted.push(index);
    }
    // Only "made by" of the four directory entries says nothing about the content.
    expect(accepted).toHaveLength(2 * 4);
  });

  it("refuses every truncation, and the hash of the record catches what nothing else would", () => {
    const { zip, zipSha256 } = value(buildBundle(input));
    for (let length = 0; length < zip.length; length++) {
      expect(verifyBundle(zip.subarray(0, length), null)).toMatchObject({
        error: { code: "BUNDLE_ZIP_INVALID" },
      });
    }
    expect(verifyBundle(zip.subarray(1), zipSha256)).toMatchObject({
      error: { code: "BUNDLE_HASH_MISMATCH" },
    });
  });

  it("answers any bytes with a problem and never with an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(verifyBundle(bytes, null)).toMatchObject({ ok: false, error: { code: "BUNDLE_ZIP_INVALID" } });
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it.each<[string, BundleInput["jobs"]]>([
    ["an empty job id", [{ nodeId: "a", jobId: "", sql: utf8("") }]],
    [
      "an exception of another node",
      [
        {
          nodeId: "a",
          jobId: "j",
          sql: utf8(""),
          nondeterministicCodes: ["KSQL1306"],
          approvedExceptions: [
            { node_id: "b", code: "KSQL1306", approved_by: "o", reason: "r", approved_at: "t" },
          ],
        },
      ],
    ],
  ])("is not made of %s", (_what, jobs) => {
    expect(buildBundle({ ...input, jobs })).toMatchObject({ error: { code: "BUNDLE_INPUT_INVALID" } });
  });

  it("sorts exceptions by node, code, approver, time, reason", () => {
    const exception = {
      node_id: "a",
      code: "KSQL1306",
      approved_by: "o",
      reason: "r",
      approved_at: "1",
    } as const;
    const job = { nodeId: "a", jobId: "j", sql: utf8(""), nondeterministicCodes: ["KSQL1306"] };
    const list = [{ ...exception, approved_at: "2", reason: "a" }, { ...exception, reason: "z" }, exception];
    const bundle = value(buildBundle({ ...input, jobs: [{ ...job, approvedExceptions: list }] }));
    const opened = value(verifyBundle(bundle.zip, null));
    expect(opened.jobs[0]?.approvedExceptions).toEqual([list[2], list[1], list[0]]);
  });
});

describe("canonical JSON (wire-format §3)", () => {
  it("escapes unpaired surrogates in lower case and keeps a key named __proto__", () => {
    expect(canonicalJson({ b: "\ud800", a: "\udfff" })).toBe('{"a":"\\udfff","b":"\\ud800"}');
    expect(canonicalJson(JSON.parse('{"z":1,"__proto__":{"b":1,"a":2}}'))).toBe(
      '{"__proto__":{"a":2,"b":1},"z":1}',
    );
  });

  it("does not depend on the order keys were written in, and is its own canonical form", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const text = canonicalJson(json);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});

describe("CRC-32 and strict UTF-8", () => {
  it("agrees with the check value of CRC-32", () => {
    expect(crc32(utf8("123456789"))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });

  it("reads back every well-formed text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decodeUtf8(utf8(text))).toBe(text);
      }),
      { seed: 3 },
    );
  });

  it.each([
    ["a lone continuation byte", [0x80]],
    ["an over-long slash", [0xc0, 0xaf]],
    ["an over-long three-byte form", [0xe0, 0x80, 0x80]],
    ["an over-long four-byte form", [0xf0, 0x80, 0x80, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a value beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
    ["a cut sequence", [0xe3, 0x81]],
    ["a broken sequence", [0xe3, 0x41, 0x81]],
  ])("refuses %s", (_what, bytes) => {
    expect(decodeUtf8(new Uint8Array(bytes))).toBeNull();
  });
});
