import { expect, it } from "vitest";
import { isSameKintone } from "../../../../main/console/same-kintone.ts";

it.each([
  ["https://a.cybozu.com", "https://A.cybozu.com/", true],
  ["http://localhost:80", "http://127.0.0.1", true],
  ["http://localhost:5001", "http://[::1]:5001/k", true],
  ["https://a.cybozu.com", "https://b.cybozu.com", false],
  ["http://localhost:5001", "http://localhost:5002", false],
  ["http://a.example", "https://a.example", false],
  ["no address", "no address", false],
])("requests to %s and %s are asked of one kintone: %s (operator-ux U2)", (left, right, same) => {
  expect(isSameKintone(left, right)).toBe(same);
});
