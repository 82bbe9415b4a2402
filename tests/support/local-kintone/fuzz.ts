import fc from "fast-check";
import type { KintoneRequest } from "../../../main/local-kintone/index.ts";
import { query } from "./fuzz-queries.ts";
import { app, code, id, junk, record } from "./fuzz-values.ts";

export { type FuzzRig, startFuzz, wrongWith } from "./fuzz-rig.ts";

const updateKey = fc.record({ field: code, value: junk }, { requiredKeys: [] });
const revision = fc.constantFrom<unknown>(1, "1", 2, -1, "-1", null, 0, "x", 1.5, {});
const change = fc.record({ id, updateKey, record, revision }, { requiredKeys: [] });

const parameters: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    app,
    id: fc.oneof({ weight: 8, arbitrary: id }, { weight: 1, arbitrary: junk }),
    query,
    fields: fc.oneof(
      { weight: 8, arbitrary: fc.array(code, { maxLength: 3 }) },
      { weight: 1, arbitrary: junk },
    ),
    totalCount: fc.constantFrom<unknown>(true, "true", false, "false", true, 3),
    record,
    records: fc.oneof(
      { weight: 4, arbitrary: fc.array(record, { maxLength: 4 }) },
      { weight: 4, arbitrary: fc.array(change, { maxLength: 4 }) },
      { weight: 1, arbitrary: junk },
    ),
    ids: fc.oneof({ weight: 8, arbitrary: fc.array(id, { maxLength: 4 }) }, { weight: 1, arbitrary: junk }),
    revisions: fc.oneof(fc.array(revision, { maxLength: 4 }), junk),
    updateKey: fc.oneof(updateKey, junk),
    upsert: fc.constantFrom<unknown>(true, "true", false, null),
    revision,
    size: fc.constantFrom<unknown>(1, 500, 501, 0, "x"),
    fileKey: junk,
    comment: fc.oneof(fc.record({ text: junk, mentions: junk }, { requiredKeys: [] }), junk),
    action: junk,
    lang: junk,
    name: junk,
    properties: fc.oneof(
      fc.dictionary(
        code,
        fc.record({ type: fc.constantFrom("NUMBER", "SUBTABLE", "X"), code }, { requiredKeys: [] }),
      ),
      junk,
    ),
    apps: fc.oneof(fc.array(fc.oneof(app, fc.record({ app, revision })), { maxLength: 2 }), junk),
    limit: junk,
    offset: junk,
  },
  { requiredKeys: ["app"] },
);

const NAMES = [
  "record.json",
  "records.json",
  "records/cursor.json",
  "record/status.json",
  "records/status.json",
  "record/comment.json",
  "record/comments.json",
  "file.json",
  "app.json",
  "apps.json",
  "app/form/fields.json",
  "app/form/layout.json",
  "app/settings.json",
  "app/views.json",
  "app/acl.json",
  "record/acl.json",
  "field/acl.json",
  "records/acl/evaluate.json",
  "app/status.json",
  "preview/app.json",
  "preview/app/form/fields.json",
  "preview/app/form/layout.json",
  "preview/app/views.json",
  "preview/app/acl.json",
  "preview/app/deploy.json",
  "apis.json",
  "space.json",
  "nothing.json",
  "../record.json",
];
/** What the record endpoints take; they carry the data. */
const usual = fc.constantFrom(
  ["GET", "record.json"],
  ["GET", "records.json"],
  ["GET", "records.json"],
  ["POST", "record.json"],
  ["POST", "records.json"],
  ["PUT", "record.json"],
  ["PUT", "records.json"],
  ["DELETE", "records.json"],
  ["POST", "records/cursor.json"],
);
const method = fc.constantFrom(
  "GET",
  "GET",
  "POST",
  "POST",
  "PUT",
  "PUT",
  "DELETE",
  "DELETE",
  "PATCH",
  "get",
);
const call: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 3, arbitrary: usual.map(([verb = "", path = ""]): readonly [string, string] => [verb, path]) },
  { weight: 2, arbitrary: fc.tuple(method, fc.constantFrom(...NAMES)) },
);
const prefix = fc.oneof(
  { weight: 20, arbitrary: fc.constant("/k/v1/") },
  { weight: 1, arbitrary: fc.constantFrom("/k/guest/1/v1/", "/k/v2/", "/") },
);

const plain = (item: unknown): string =>
  typeof item === "object" && item !== null ? JSON.stringify(item) : String(item);

function flat(parameters: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [key, each] of Object.entries(parameters)) {
    if (Array.isArray(each))
      each.forEach((item, at) => {
        search.append(`${key}[${at}]`, plain(item));
      });
    else search.append(key, plain(each));
  }
  return search.toString();
}

/** One request: a route or none, parameters in the address, in the body, in both, or a body that is no JSON. */
const single: fc.Arbitrary<Omit<KintoneRequest, "headers">> = fc
  .record({
    call,
    prefix,
    parameters,
    place: fc.constantFrom("body", "body", "body", "body", "address", "address", "both", "broken"),
  })
  .map(({ call: [verb, path], prefix: before, parameters: given, place }) => {
    const address = place === "address" || place === "both" ? `?${flat(given)}` : "";
    const target = `${before}${path}${address}`;
    if (place === "address") return { method: verb, target };
    return {
      method: verb,
      target,
      body: place === "broken" ? JSON.stringify(given).slice(0, -3) : JSON.stringify(given),
    };
  });
const bulk: fc.Arbitrary<Omit<KintoneRequest, "headers">> = fc
  .array(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc
          .record({ call, prefix, payload: parameters })
          .map(({ call: [verb, path], prefix: before, payload }) => ({
            method: verb,
            api: `${before}${path}`,
            payload,
          })),
      },
      { weight: 1, arbitrary: junk },
    ),
    { maxLength: 4 },
  )
  .map((requests) => ({
    method: "POST",
    target: "/k/v1/bulkRequest.json",
    body: JSON.stringify({ requests }),
  }));

export const anyRequest: fc.Arbitrary<Omit<KintoneRequest, "headers">> = fc.oneof(
  { weight: 6, arbitrary: single },
  { weight: 1, arbitrary: bulk },
);
