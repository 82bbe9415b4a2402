import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { parseCsv } from "../../../../main/job-runner/files/csv-read.ts";
import { serializeCsv } from "../../../../main/job-runner/files/csv-write.ts";
import { decodeText, encodeText } from "../../../../main/job-runner/files/encoding.ts";
import { readImportRows } from "../../../../main/job-runner/files/import-text.ts";
import type { Column } from "../../../../main/job-runner/values/column-type.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

describe("decoding without loss (job-dialect §5.9)", () => {
  it("drops a byte order mark, and reads UTF-8 and CP932", () => {
    expect(decodeText(utf8("\ufeff品番\r\n"), "UTF8")).toEqual({ ok: true, text: "品番\r\n" });
    expect(decodeText(iconv.encode("①髙～ｱ\\表", "cp932"), "SJIS")).toEqual({ ok: true, text: "①髙～ｱ\\表" });
    expect(decodeText(utf8("a\ufffdb"), "UTF8")).toEqual({ ok: true, text: "a\ufffdb" });
  });

  it.each([
    ["UTF8", bytes("品番\nab", [0xff], "c\n"), { line: 2, column: 3 }],
    ["UTF8", bytes("品", [0xe5, 0x93]), { line: 1, column: 2 }],
    ["UTF8", bytes("\ufffd", [0xc0, 0x80]), { line: 1, column: 2 }],
    ["UTF8", iconv.encode("品番", "cp932"), { line: 1, column: 1 }],
    ["SJIS", bytes("ab\n", [0x95, 0x69, 0x81]), { line: 2, column: 2 }],
    ["SJIS", bytes([0x95, 0x69], "x", [0xff]), { line: 1, column: 3 }],
    ["SJIS", bytes([0xa0]), { line: 1, column: 1 }],
  ] as const)("%s %o is refused at %j", (encoding, content, fault) => {
    expect(decodeText(content, encoding)).toEqual({ ok: false, fault });
  });
});

describe("encoding without loss (job-dialect §5.10)", () => {
  it("comes back as it was", () => {
    for (const encoding of ["UTF8", "SJIS"] as const) {
      const encoded = encodeText("品番,①髙～ｱ\r\n", encoding);
      expect(encoded.ok && decodeText(encoded.bytes, encoding)).toEqual({
        ok: true,
        text: "品番,①髙～ｱ\r\n",
      });
    }
  });

  it.each([
    ["SJIS", "ab\r\n品\u301c", { line: 2, column: 2 }, 0x301c, 5],
    ["SJIS", "𠮷", { line: 1, column: 1 }, 0x20bb7, 0],
    ["SJIS", "a¥", { line: 1, column: 2 }, 0xa5, 1],
    ["UTF8", "a\ud800b", { line: 1, column: 2 }, 0xd800, 1],
  ] as const)("%s refuses %j", (encoding, text, fault, codePoint, offset) => {
    expect(encodeText(text, encoding)).toEqual({ ok: false, fault, codePoint, offset });
  });
});

describe("characters a site made for itself, U+E000 to U+E757 (job-dialect §5.9, §5.10)", () => {
  const all = String.fromCodePoint(...Array.from({ length: 0x758 }, (_, index) => 0xe000 + index));
  it("come back from Shift_JIS, every one of them", () => {
    const encoded = encodeText(all, "SJIS");
    expect(encoded.ok && decodeText(encoded.bytes, "SJIS")).toEqual({ ok: true, text: all });
  });
  it("have the bytes that Windows gives them", () => {
    const hex = (text: string): string => {
      const encoded = encodeText(text, "SJIS");
      return encoded.ok ? Buffer.from(encoded.bytes).toString("hex") : "";
    };
    expect(hex("\ue000")).toBe("f040");
    expect(hex("\ue03f")).toBe("f080");
    expect(hex("\ue69d\ue6da\ue6db\ue757")).toBe("f941f97ef980f9fc");
  });
  it("end where the rows end", () => {
    expect(encodeText("\ue758", "SJIS").ok).toBe(false);
  });
});

describe("CSV in (RFC 4180, job-dialect §5.9)", () => {
  it.each([
    [
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ['a\n"x, ""y""\r\nz"\n', [["a"], ['x, "y"\r\nz']]],
    ["a\n\n", [["a"], [""]]],
    [
      "a,b\n,\n",
      [
        ["a", "b"],
        ["", ""],
      ],
    ],
    ['a\n""', [["a"], [""]]],
    ["", []],
  ])("%j", (text, rows) => {
    expect(parseCsv(text)).toEqual({ ok: true, rows });
  });

  it.each([
    ["a,b\n1\n", 2, 1, "1 cells, the header has 2"],
    ["a,b\n1,2\n\n", 3, 1, "1 cells, the header has 2"],
    ['a\nx"y\n', 2, 2, "inside a cell"],
    ['a\n"x"y\n', 2, 4, "closing quote"],
    ['a\n"x\n\n', 2, 1, "never closed"],
    ["a\rb", 1, 2, "stands alone"],
    ['a,b\n"x\ny",1,2\n', 2, 1, "3 cells"],
  ])("%j is refused at line %i, column %i", (text, line, column, words) => {
    expect(parseCsv(text)).toMatchObject({
      ok: false,
      line,
      column,
      message: expect.stringContaining(words),
    });
  });

  it.each([
    ["", "ImportSourceError", "header row is needed"],
    ["a,\n1,2", "ImportSourceError", "column 2 of the header has no name"],
    ["a,a\n1,2", "ImportSourceError", "repeats the name a"],
    ["a,b\n", "ImportSourceError", "no data row"],
    ["a\n1\n2\n3\n", "FetchAllLimitError", "limits.maxReadRows (2)"],
    ['a\n"', "ImportSourceError", "L2:C1"],
  ])("the source %j is %s: %s", (text, code, words) => {
    expect(() => readImportRows("p", utf8(text), "UTF8", 2)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    );
  });
});

describe("CSV out (job-dialect §5.10)", () => {
  const column = (name: string, kind: "text" | "number" | "datetime" | "multi" | "date"): Column => ({
    name,
    type: { kind },
  });
  const text = (
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    timeZone: string | null = null,
  ) => new TextDecoder().decode(serializeCsv("s", columns, rows, { encoding: "UTF8", timeZone }).bytes);

  it("has a header, CRLF after every record, quotes only where needed and no byte order mark", () => {
    expect(
      text(
        [column("品番", "text"), column('a"b', "text")],
        [
          ["x,y", "p\nq"],
          [" z ", ""],
        ],
      ),
    ).toBe('品番,"a""b"\r\n"x,y","p\nq"\r\n z ,\r\n');
    expect(text([column("a", "text")], [])).toBe("a\r\n");
  });

  it("expands exponents, joins choices by LF and keeps instants or moves them to a zone", () => {
    const columns = [
      column("n", "number"),
      column("c", "multi"),
      column("t", "datetime"),
      column("d", "date"),
    ];
    const rows = [
      ["1.5e3", '["a","b"]', "2026-04-01T00:00:00Z", "2026-04-01"],
      ["-0.10", "[]", "", ""],
    ];
    expect(text(columns, rows)).toBe(
      'n,c,t,d\r\n1500,"a\nb",2026-04-01T00:00:00Z,2026-04-01\r\n-0.10,,,\r\n',
    );
    expect(text(columns, rows, "Asia/Tokyo")).toContain(",2026-04-01T09:00:00.000+09:00,");
  });

  it.each([
    [[column("a", "text"), column("a", "text")], [["1", "2"]], "UTF8", "ExportSinkDuplicateHeaderError"],
    [[column("n", "number")], [["1e9999"]], "UTF8", "ExportSinkInvalidValueError"],
    [[column("a", "text")], [["ok"], ["\u301c"]], "SJIS", "ExportSinkEncodingError"],
  ] as const)("%j %j in %s is %s", (columns, rows, encoding, code) => {
    expect(() => serializeCsv("s", columns, rows, { encoding, timeZone: null })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it("names a character without place by code point and position, not by itself", () => {
    const write = () =>
      serializeCsv("s", [column("a", "text")], [["\u301c"]], { encoding: "SJIS", timeZone: null });
    expect(write).toThrow("U+301C at L2:C1 has no place in the encoding of s.");
  });
});
