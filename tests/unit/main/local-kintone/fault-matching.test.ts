import { describe, expect, it } from "vitest";
import { findMatch } from "../../../../main/local-kintone/faults/match.ts";
import { matchSchema } from "../../../../main/local-kintone/faults/match-schema.ts";
import { isWrite, readSubject, writesRecords } from "../../../../main/local-kintone/faults/subject.ts";
import type { KintoneRequest } from "../../../../main/local-kintone/index.ts";

const request = (
  method: string,
  target: string,
  body?: unknown,
  more: Partial<KintoneRequest> = {},
): KintoneRequest => ({
  method,
  target,
  headers: {},
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...more,
});

const token = { headers: { "x-cybozu-api-token": "aaa, bbb" } };
const password = {
  headers: { "x-cybozu-authorization": Buffer.from("sato:geheim:1").toString("base64") },
};
const claim = request("PUT", "/k/v1/record.json", {
  app: 7,
  id: "12",
  revision: 3,
  record: { claimed_at: { value: "2026-09-01T00:00:00Z" }, owner: { value: "host-1" } },
});
const batch = request("PUT", "/k/v1/records.json", {
  app: "7",
  records: [
    { id: 1, record: { a: { value: "x" } } },
    { updateKey: { field: "key", value: "K-1" }, record: { b: { value: 5 } } },
  ],
});
const inserts = request("POST", "/k/v1/records.json", {
  app: 7,
  records: [{ a: { value: "x" } }, { c: {} }],
});
const removal = request("DELETE", "/k/v1/records.json?app=7&ids[0]=5&ids[1]=6");
const read = request("GET", "/k/v1/records.json?app=7&query=status+in+(%22RUNNING%22)&fields[0]=a");
const longRead = request(
  "POST",
  "/k/v1/records.json",
  { app: 7, query: "x = 1" },
  { headers: { "x-http-method-override": "GET" } },
);
const bulk = request("POST", "/k/v1/bulkRequest.json", {
  requests: [
    {
      method: "PUT",
      api: "/k/v1/record.json",
      payload: { app: 7, id: 1, record: { heartbeat_at: { value: "t" } } },
    },
    { method: "POST", api: "/k/v1/records.json", payload: { app: 8, records: [{ a: { value: "x" } }] } },
  ],
});
const guest = request("PUT", "/k/guest/3/v1/record.json", { app: 7, id: 1, record: {} });
const broken = request("PUT", "/k/v1/record.json", undefined, { body: "{" });

/** Match, request, and the place it is found at: 0.. in a bulk, "call" for the request itself, null for none. */
const TABLE: readonly (readonly [string, unknown, KintoneRequest, number | "call" | null])[] = [
  ["everything", {}, read, "call"],
  ["a method", { methods: ["PUT"] }, claim, "call"],
  ["another method", { methods: ["POST"] }, claim, null],
  ["one of several methods", { methods: ["POST", "PUT"] }, claim, "call"],
  ["the method after an override", { methods: ["GET"] }, longRead, "call"],
  ["not the method before it", { methods: ["POST"] }, longRead, null],
  ["a path", { path: "^/k/v1/record\\.json$" }, claim, "call"],
  ["a path without its query", { path: "records\\.json$" }, read, "call"],
  ["a guest path", { path: "/guest/3/" }, guest, "call"],
  ["an app as number", { app: 7 }, claim, "call"],
  ["an app as text", { app: "7" }, batch, "call"],
  ["another app", { app: "70" }, claim, null],
  ["an app in the query string", { app: 7 }, read, "call"],
  ["a record id", { record: 12 }, claim, "call"],
  ["another record id", { record: 1 }, claim, null],
  ["a record id in a batch", { record: "1" }, batch, "call"],
  ["a record id of a delete", { record: 6 }, removal, "call"],
  ["an update key", { updateKey: "K-1" }, batch, "call"],
  ["another update key", { updateKey: "K-2" }, batch, null],
  ["a field", { hasFields: ["claimed_at"] }, claim, "call"],
  ["a field of the second row", { hasFields: ["b"] }, batch, "call"],
  ["fields of two rows are not of one", { hasFields: ["a", "b"] }, batch, null],
  ["a field of a bare record", { hasFields: ["c"] }, inserts, "call"],
  ["a field nobody wrote", { hasFields: ["finished_at"] }, claim, null],
  ["no field in a read", { hasFields: ["a"] }, read, null],
  ["a value", { field: { code: "owner", equals: "host-1" } }, claim, "call"],
  ["another value", { field: { code: "owner", equals: "host" } }, claim, null],
  ["a number as text", { field: { code: "b", equals: "5" } }, batch, "call"],
  ["a pattern of a value", { field: { code: "owner", pattern: "^host-\\d$" } }, claim, "call"],
  ["a pattern that does not hold", { field: { code: "owner", pattern: "^\\d" } }, claim, null],
  ["an empty value", { field: { code: "c", equals: "" } }, inserts, "call"],
  [
    "the value in the row that has the field",
    { hasFields: ["a"], field: { code: "b", equals: "5" } },
    batch,
    null,
  ],
  ["a token's label", { tokenLabel: "beta" }, { ...read, ...token }, "call"],
  ["no token with the label", { tokenLabel: "gamma" }, { ...read, ...token }, null],
  ["no token at all", { tokenLabel: "beta" }, read, null],
  ["a user", { user: "sato" }, { ...read, ...password }, "call"],
  ["another user", { user: "kato" }, { ...read, ...password }, null],
  ["a client by its port", { client: "poller-a" }, { ...read, client: "poller-a" }, "call"],
  [
    "a client by its header",
    { client: "poller-a" },
    { ...read, headers: { "x-client-label": "poller-a" } },
    "call",
  ],
  [
    "the port before the header",
    { client: "b" },
    { ...read, client: "a", headers: { "x-client-label": "b" } },
    null,
  ],
  ["no client", { client: "poller-a" }, read, null],
  ["a query", { query: 'status in \\("RUNNING"\\)' }, read, "call"],
  ["a query in a body", { query: "^x" }, longRead, "call"],
  ["another query", { query: "FAILED" }, read, null],
  ["an entry of a bulk", { app: 8, methods: ["POST"], path: "records\\.json$" }, bulk, 1],
  ["a field in a bulk", { hasFields: ["heartbeat_at"] }, bulk, 0],
  ["the bulk itself", { path: "bulkRequest" }, bulk, "call"],
  ["not two entries at once", { app: 8, hasFields: ["heartbeat_at"] }, bulk, null],
  ["a call alone", { within: "call", app: 7 }, bulk, null],
  ["an entry alone", { within: "sub-request", app: 7 }, claim, null],
  ["the place of an entry", { subRequest: 1 }, bulk, 1],
  ["a place that is not there", { subRequest: 2 }, bulk, null],
  ["a place of no bulk", { subRequest: 0 }, claim, null],
  ["all conditions together", { methods: ["PUT"], app: 7, record: 12, hasFields: ["owner"] }, claim, "call"],
  ["all but one", { methods: ["PUT"], app: 7, record: 13, hasFields: ["owner"] }, claim, null],
  ["a body nobody can read, by its path", { path: "record\\.json$" }, broken, "call"],
  ["a body nobody can read, not by its app", { app: 7 }, broken, null],
];

describe("matching of fault rules (kintone-rest §19)", () => {
  const labelOf = (text: string): string | null => (text === "bbb" ? "beta" : null);

  it.each(TABLE)("finds %s", (_, match, asked, place) => {
    const part = findMatch(matchSchema.parse(match), readSubject(asked), labelOf);
    expect(part === null ? null : (part.index ?? "call")).toBe(place);
  });

  it.each([
    ["an unknown key", { methode: "PUT" }],
    ["a broken pattern", { path: "(" }],
    ["an app that is no number", { app: "state" }],
    ["a place beyond a bulk", { subRequest: 20 }],
  ])("refuses %s", (_, match) => {
    expect(matchSchema.safeParse(match).success).toBe(false);
  });

  it.each([
    [claim, true, true],
    [removal, true, true],
    [bulk, true, true],
    [read, false, false],
    [longRead, false, false],
    [request("POST", "/k/v1/preview/app.json", {}), true, false],
    [request("POST", "/k/v1/records/cursor.json", {}), true, false],
  ] as const)("tells writes, and writes of records, from the rest (%#)", (asked, writes, records) => {
    const subject = readSubject(asked);
    expect([isWrite(subject), writesRecords(subject)]).toEqual([writes, records]);
  });
});
