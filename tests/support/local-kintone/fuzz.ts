import fc from "fast-check";
import {
  createLocalKintone,
  type FieldInputs,
  type KintoneRequest,
  type KintoneResponse,
  type LocalKintone,
} from "../../../main/local-kintone/index.ts";

/** Stands in every value of the app nobody was given a token for. */
export const FOREIGN = "FOREIGN-VALUE";

export interface FuzzRig {
  readonly server: LocalKintone;
  /** Of the app the requests may use. */
  readonly token: string;
  readonly failures: unknown[];
  send(request: Omit<KintoneRequest, "headers">): Promise<KintoneResponse>;
  dispose(): Promise<void>;
}

const options = { a: { label: "a", index: "0" }, b: { label: "b", index: "1" } };
const FIELDS: FieldInputs = {
  key: { type: "SINGLE_LINE_TEXT", unique: true },
  text: { type: "SINGLE_LINE_TEXT", maxLength: "8" },
  area: { type: "MULTI_LINE_TEXT" },
  number: { type: "NUMBER" },
  at: { type: "DATETIME" },
  day: { type: "DATE" },
  time: { type: "TIME" },
  choice: { type: "DROP_DOWN", options },
  ticks: { type: "CHECK_BOX", options },
  link: { type: "LINK", protocol: "WEB" },
  file: { type: "FILE" },
  who: { type: "USER_SELECT" },
  table: { type: "SUBTABLE", fields: { cell: { type: "NUMBER" }, note: { type: "SINGLE_LINE_TEXT" } } },
};

/** Two apps with records; the second one is another's. */
export function startFuzz(): FuzzRig {
  const failures: unknown[] = [];
  let counter = 0;
  const server = createLocalKintone({
    databasePath: ":memory:",
    clock: { now: () => 1_788_000_000_000 + counter++ },
    ids: {
      random: (bytes) => {
        counter += 1;
        return Uint8Array.from({ length: bytes }, (_, at) => (counter * 31 + at * 97 + (counter >> 8)) & 255);
      },
    },
    onFailure: (error) => failures.push(error),
  });
  const { provision } = server;
  const mine = provision.createApp({ name: "mine", code: "M", fields: FIELDS });
  const other = provision.createApp({ name: "other", code: "O", fields: FIELDS });
  const record = (key: string, text: string): Record<string, { value: unknown }> => ({
    key: { value: key },
    area: { value: text },
    number: { value: 7 },
    choice: { value: "a" },
    table: { value: [{ value: { cell: { value: "1" }, note: { value: text } } }] },
  });
  for (let n = 0; n < 5; n += 1) {
    provision.insertRecords(mine, [record(`k${n}`, "ours")]);
    provision.insertRecords(other, [record(`${FOREIGN}-${n}`, FOREIGN)]);
  }
  const token = provision.createToken(mine, ["view", "add", "edit", "delete"], "fuzz");
  provision.createToken(other, ["view"], "other");
  return {
    server,
    token,
    failures,
    send: ({ method, target, body }) =>
      server.handle({
        method,
        target,
        headers: { host: "localhost", "x-cybozu-api-token": token, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
      }),
    dispose: () => server.dispose(),
  };
}

const CODES = [...Object.keys(FIELDS), "cell", "note", "$id", "$revision", "作成者", "作成日時", "nope", ""];
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    2,
    1e308,
    "",
    "1",
    "0",
    "a",
    "k1",
    "x".repeat(70),
    "\u0000",
    [],
    {},
  ),
  fc.string({ maxLength: 12, unit: "binary" }),
  fc.constantFrom(
    "2026-02-30",
    "2026-09-01",
    "2026-09-01T00:00:59Z",
    "24:00",
    "9:5",
    "1e-400",
    "99999999999999999999.5",
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const code = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...CODES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
const app = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<unknown>(1, "1") },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(2, "2", 3, 0, -1, "x", null, [1], 4294967297) },
);
const id = fc.constantFrom<unknown>(1, "1", 2, "3", 5, 6, 7, 0, -1, "a", null, {}, 4294967297);
const row = fc.record({ id, value: fc.dictionary(code, fc.record({ value: junk })) }, { requiredKeys: [] });
const value = fc.oneof(
  junk,
  fc.array(junk, { maxLength: 3 }),
  fc.array(row, { maxLength: 3 }),
  fc.array(fc.record({ code: junk, fileKey: junk }, { requiredKeys: [] }), { maxLength: 2 }),
);
/** Values that fit, so that enough requests get past the checks to reach the store. */
const fitting = fc
  .record(
    {
      key: fc.string({ minLength: 1, maxLength: 10, unit: "grapheme-ascii" }),
      text: fc.string({ maxLength: 8, unit: "binary" }),
      area: fc.string({ maxLength: 40, unit: "binary" }),
      number: fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e9, max: 1e9 })),
      at: fc.constantFrom("2026-09-01T00:00:59Z", "2026-09-01T09:00:00+09:00", ""),
      day: fc.constantFrom("2026-09-01", "2024-02-29", null),
      time: fc.constantFrom("09:05", "23:59", null),
      choice: fc.constantFrom("a", "b", null),
      ticks: fc.subarray(["a", "b"]),
      link: fc.constantFrom("https://example.com", ""),
      table: fc.array(fc.record({ value: fc.record({ cell: fc.record({ value: fc.integer() }) }) }), {
        maxLength: 3,
      }),
    },
    { requiredKeys: [] },
  )
  .map((values) => Object.fromEntries(Object.entries(values).map(([name, each]) => [name, { value: each }])));
const record = fc.oneof(
  { weight: 8, arbitrary: fitting },
  { weight: 4, arbitrary: fc.dictionary(code, fc.oneof(fc.record({ value }), junk), { maxKeys: 4 }) },
  { weight: 1, arbitrary: junk },
);
const literal = fc.oneof(
  fc.constantFrom(
    '"k1"',
    '"a"',
    "7",
    "-1.5",
    '""',
    '"\\""',
    "TODAY()",
    "NOW()",
    "LOGINUSER()",
    "FROM_TODAY(5, DAYS)",
    '"FOREIGN"',
    '"2026-09-01"',
    "(",
    '"',
  ),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const operator = fc.constantFrom(
  "=",
  "!=",
  ">",
  "<",
  ">=",
  "<=",
  "in",
  "not in",
  "like",
  "not like",
  "is empty",
  "is not empty",
  "is",
  "~",
);
const comparison = fc
  .tuple(code, operator, fc.array(literal, { minLength: 1, maxLength: 3 }))
  .map(([field, op, literals]) =>
    op.startsWith("is")
      ? `${field} ${op}`
      : op.endsWith("in")
        ? `${field} ${op} (${literals.join(", ")})`
        : `${field} ${op} ${literals[0]}`,
  );
const tail = fc.constantFrom(
  "",
  "order by $id asc",
  "order by number desc, $id asc limit 3",
  "limit 500",
  "limit 501",
  "offset 10001",
  "limit 2 offset 1",
  "order by file asc",
  "order by nope",
  "limit -1",
);
const sensible = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        'key = "k1"',
        'key in ("k1", "k2")',
        "number > 3",
        "number not in (7, 8)",
        'choice in ("a", "")',
        'area like "ours"',
        'ticks not in ("a")',
        "at <= NOW()",
        "day = TODAY()",
        'link != ""',
        "cell in (1)",
        'note like "ours"',
        "$id > 2",
        "file is not empty",
        "作成者 in (LOGINUSER())",
      ),
      { minLength: 1, maxLength: 5 },
    ),
    fc.constantFrom(" and ", " or "),
    fc.constantFrom("", " order by $id asc limit 3", " order by number desc, key asc", " limit 2 offset 1"),
  )
  .map(([parts, glue, end]) => parts.join(glue) + end);
const query = fc.oneof(
  { weight: 8, arbitrary: sensible },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.array(comparison, { maxLength: 4 }), fc.constantFrom(" and ", " or ", " "), tail)
      .map(([parts, glue, end]) => `${parts.join(glue)} ${end}`.trim()),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(comparison, comparison, comparison).map(([a, b, c]) => `(${a} or (${b})) and ${c}`),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 30, unit: "binary" }) },
);
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

/** What is wrong with an answer, in words; null when nothing is. */
export function wrongWith({ status, headers, body }: KintoneResponse): string | null {
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  if (text.includes(FOREIGN)) return "shows a record of another app";
  if (!Number.isInteger(status) || status < 200 || status > 599) return `has the status ${status}`;
  if (status < 500) return null;
  const type = headers["Content-Type"] ?? "";
  const parsed: unknown = type.startsWith("application/json") ? JSON.parse(text) : null;
  const isError = typeof parsed === "object" && parsed !== null && "code" in parsed && "message" in parsed;
  return isError ? `is a 500: ${text}` : "is a 500 without an error body";
}
