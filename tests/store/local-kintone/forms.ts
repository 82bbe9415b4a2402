import type { FieldInputs } from "../../../main/local-kintone/index.ts";
import { type RawAnswer, type Rig, startRig } from "./support.ts";

/** Options in the order given. */
export const options = (...names: readonly string[]): Record<string, { label: string; index: string }> =>
  Object.fromEntries(names.map((name, index) => [name, { label: name, index: String(index) }]));

/** One field of every type, a table among them; nothing is required. */
export const EVERY_TYPE: FieldInputs = {
  text: { type: "SINGLE_LINE_TEXT" },
  code: { type: "SINGLE_LINE_TEXT", unique: true },
  long: { type: "MULTI_LINE_TEXT" },
  rich: { type: "RICH_TEXT" },
  num: { type: "NUMBER" },
  total: { type: "CALC", expression: "num * 2" },
  moment: { type: "DATETIME" },
  day: { type: "DATE" },
  at: { type: "TIME" },
  drop: { type: "DROP_DOWN", options: options("a", "b") },
  radio: { type: "RADIO_BUTTON", options: options("a", "b") },
  checks: { type: "CHECK_BOX", options: options("a", "b") },
  many: { type: "MULTI_SELECT", options: options("a", "b") },
  users: { type: "USER_SELECT" },
  orgs: { type: "ORGANIZATION_SELECT" },
  groups: { type: "GROUP_SELECT" },
  link: { type: "LINK", protocol: "WEB" },
  file: { type: "FILE" },
  table: {
    type: "SUBTABLE",
    fields: {
      item: { type: "SINGLE_LINE_TEXT", maxLength: "5" },
      price: { type: "NUMBER" },
      due: { type: "DATE" },
      kind: { type: "DROP_DOWN", options: options("x", "y"), defaultValue: "x" },
      tags: { type: "CHECK_BOX", options: options("p", "q") },
      who: { type: "USER_SELECT" },
      memo: { type: "MULTI_LINE_TEXT" },
      scan: { type: "FILE" },
    },
  },
};

type Values = Readonly<Record<string, unknown>>;

/** `{a: 1}` as `{a: {value: 1}}`. */
export const record = (values: Values): Record<string, { value: unknown }> =>
  Object.fromEntries(Object.entries(values).map(([code, value]) => [code, { value }]));

/** Rows of a table without ids. */
export const rows = (...list: readonly Values[]): { value: Record<string, { value: unknown }> }[] =>
  list.map((values) => ({ value: record(values) }));

/** A rig over one form, with short ways to write and read its records. */
export interface Form extends Rig {
  add(values: Values): Promise<string>;
  post(values: Values): Promise<RawAnswer>;
  put(id: string, values: Values): Promise<RawAnswer>;
  /** Bare values of a stored record. */
  read(id: string): Promise<Record<string, unknown>>;
  search(query: string): Promise<RawAnswer>;
  /** Values of `text`, in the order found. */
  found(query: string): Promise<string>;
}

function plain(value: unknown): Record<string, unknown> {
  const entries = Object.entries(JSON.parse(JSON.stringify(value ?? {})));
  return Object.fromEntries(
    entries.map(([code, entry]) => {
      const shown = typeof entry === "object" && entry !== null && "value" in entry ? entry.value : undefined;
      return [code, shown];
    }),
  );
}

/** Starts a server with this form and the people 佐藤 (`sato`), 鈴木 (`suzuki`), one organisation, one group. */
export async function startForm(
  fields: FieldInputs = EVERY_TYPE,
  options: Parameters<typeof startRig>[0] = {},
): Promise<Form> {
  const rig = await startRig(options, fields);
  const { provision } = rig.server;
  provision.createOrganization({ code: "dev", name: "開発部" });
  provision.createGroup({ code: "everyone", name: "Everyone" });
  provision.createUser({ code: "sato", name: "佐藤" }, "pass", { organizations: ["dev"] });
  provision.createUser({ code: "suzuki", name: "鈴木" }, "pass");
  const { app } = rig;
  const post = (values: Values): Promise<RawAnswer> =>
    rig.send("POST", "/k/v1/record.json", { app, record: record(values) });
  const search = (query: string): Promise<RawAnswer> =>
    rig.send("GET", `/k/v1/records.json?app=${app}&query=${encodeURIComponent(query)}`);
  return {
    ...rig,
    post,
    search,
    async add(values) {
      const answer = await post(values);
      if (answer.status !== 200) throw new Error(answer.text);
      return String(answer.json.id);
    },
    put: (id, values) => rig.send("PUT", "/k/v1/record.json", { app, id, record: record(values) }),
    read: async (id) => plain((await rig.send("GET", `/k/v1/record.json?app=${app}&id=${id}`)).json.record),
    async found(query) {
      const answer = await search(query);
      if (answer.status !== 200) return `${answer.status} ${String(answer.json.code)}`;
      const list: unknown[] = Array.isArray(answer.json.records) ? answer.json.records : [];
      return list.map((item) => plain(item).text).join(" ");
    },
  };
}

/** `{path: messages}` of an error answer. */
export function errorsOf(answer: RawAnswer): Record<string, unknown> {
  const entries = Object.entries(JSON.parse(JSON.stringify(answer.json.errors ?? {})));
  return Object.fromEntries(
    entries.map(([key, entry]) => [
      key,
      typeof entry === "object" && entry !== null && "messages" in entry ? entry.messages : entry,
    ]),
  );
}
