import { describe, expect, it } from "vitest";
import {
  attemptErrorText,
  decodeIoAudit,
  encodeInputBaseline,
  encodeIoAudit,
} from "../../../../shared/records/index.ts";

const H = "0123456789abcdef".repeat(4);
const file = { source: "a", sha256: H, bytes: 3 };
const read = { ...file, rows: 1, encoding: "UTF8" };
const written = { sink: "s", sha256: H, bytes: 3, rows: 1, encoding: "sjis" } as const;

describe("input and output audit of an Attempt (wire-format §1.5)", () => {
  it("sorts the baseline by source in code-unit order and writes exactly the listed keys", () => {
    const extra = { ...file, source: "𠮷", path: "/secret" };
    expect(encodeInputBaseline([{ ...file, source: "～" }, extra, file])).toEqual({
      ok: true,
      value:
        '{"version":1,"kind":"KSQL_FLOWNET_INPUT_BASELINE","inputs":[' +
        `{"source":"a","sha256":"${H}","bytes":3},{"source":"𠮷","sha256":"${H}","bytes":3},` +
        `{"source":"～","sha256":"${H}","bytes":3}]}`,
    });
  });

  it("writes the kind that fits what was declared", () => {
    const inputs = { baseline: [file], files: [read] };
    const inputJson = `{"source":"a","type":"IMPORT","sha256":"0123456789ab","bytes":3,"rows":1,"encoding":"UTF8"}`;
    const outputJson = `{"sink":"s","type":"EXPORT","sha256":"${H}","bytes":3,"rows":1,"encoding":"sjis"}`;
    const baselineJson = `{"source":"a","sha256":"${H}","bytes":3}`;
    const of = (kind: string, rest: string) => ({
      ok: true,
      value: `{"version":1,"kind":"${kind}",${rest}}`,
    });
    expect(encodeIoAudit({ inputs: null, outputs: null })).toEqual({ ok: true, value: null });
    expect(encodeIoAudit({ inputs, outputs: null })).toEqual(
      of("KSQL_FLOWNET_INPUT_AUDIT", `"baseline":[${baselineJson}],"input_files":[${inputJson}]`),
    );
    expect(encodeIoAudit({ inputs: null, outputs: [written] })).toEqual(
      of("KSQL_FLOWNET_OUTPUT_AUDIT", `"output_files":[${outputJson}]`),
    );
    const both = encodeIoAudit({ inputs, outputs: [written] });
    expect(both).toEqual(
      of(
        "KSQL_FLOWNET_IO_AUDIT",
        `"baseline":[${baselineJson}],"input_files":[${inputJson}],"output_files":[${outputJson}]`,
      ),
    );
    expect(both.ok && both.value !== null && decodeIoAudit(both.value)).toMatchObject({
      ok: true,
      value: { kind: "KSQL_FLOWNET_IO_AUDIT" },
    });
  });

  it.each([
    ["an unknown key", `{"version":1,"kind":"KSQL_FLOWNET_INPUT_BASELINE","inputs":[],"x":1}`],
    ["another version", `{"version":2,"kind":"KSQL_FLOWNET_INPUT_BASELINE","inputs":[]}`],
    [
      "a repeated source",
      JSON.stringify({ version: 1, kind: "KSQL_FLOWNET_INPUT_BASELINE", inputs: [file, file] }),
    ],
    [
      "the wrong order",
      JSON.stringify({
        version: 1,
        kind: "KSQL_FLOWNET_INPUT_BASELINE",
        inputs: [{ ...file, source: "b" }, file],
      }),
    ],
    [
      "too long a text",
      `{"version":1,"kind":"KSQL_FLOWNET_INPUT_BASELINE","inputs":[]}${" ".repeat(10_000)}`,
    ],
  ])("refuses %s in a text that claims one of the kinds", (_what, text) => {
    expect(decodeIoAudit(text)).toMatchObject({ ok: false, error: { code: "IO_AUDIT_INVALID" } });
  });

  it.each(["connection refused", "", "null", "[]", '{"kind":"OTHER"}', '"KSQL_FLOWNET_IO_AUDIT"'])(
    "takes %j as plain error text",
    (text) => {
      expect(decodeIoAudit(text)).toEqual({ ok: true, value: null });
    },
  );

  it("leaves out receipts a strict reader would refuse: repeated or never materialised (execution-contract §13 W1)", () => {
    const other = { ...file, source: "b" };
    const files = [other, { ...read, encoding: "SJIS" }, read];
    const json = encodeIoAudit({ inputs: { baseline: [other, file], files }, outputs: null });
    expect(json.ok && json.value !== null && decodeIoAudit(json.value)).toMatchObject({
      ok: true,
      value: {
        baseline: [{ source: "a" }, { source: "b" }],
        input_files: [{ source: "a", encoding: "SJIS" }],
      },
    });
  });

  it("refuses to write what a reader would refuse", () => {
    expect(encodeInputBaseline([file, file])).toMatchObject({
      ok: false,
      error: { code: "IO_AUDIT_INVALID" },
    });
    const many = Array.from({ length: 100 }, (_, index) => ({ ...file, source: `s${index}` }));
    expect(encodeInputBaseline(many)).toMatchObject({ ok: false, error: { code: "IO_AUDIT_TOO_LONG" } });
  });
});

describe("what a person reads of an Attempt (W-17b)", () => {
  const audit = '{"version":1,"kind":"KSQL_FLOWNET_OUTPUT_AUDIT","output_files":[]}';
  it.each([
    ["its own text", "boom", "from the log", "boom"],
    ["the JOB log's, where the files took its place", audit, "from the log", "from the log"],
    ["nothing, where there is no JOB record either", audit, null, null],
    ["nothing of a success", null, null, null],
    ["a text that only looks alike", '{"kind":"OTHER"}', "from the log", '{"kind":"OTHER"}'],
  ])("is %s", (_, own, log, expected) => {
    expect(attemptErrorText(own, log)).toBe(expected);
  });
});
