import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { base64Url, sha256Base64Url, sha256Hex, utf8 } from "../../../../shared/domain/index.ts";

describe("hashes are those of any other SHA-256 (wire-format §2.2, §3)", () => {
  it.each(["", "a", "ab", "abc", "月次集計", "😀", "x".repeat(1000)])("of the text %j", (text) => {
    expect(sha256Hex(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
    expect(sha256Base64Url(text)).toBe(createHash("sha256").update(text, "utf8").digest("base64url"));
  });

  it.each([0, 1, 2, 3, 4, 5, 255])("base64url has no padding: %i bytes", (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + 251) & 0xff);
    expect(base64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
  });

  it("turns an unpaired surrogate into U+FFFD", () => {
    expect([...utf8("a\ud800b")]).toEqual([0x61, 0xef, 0xbf, 0xbd, 0x62]);
  });
});
