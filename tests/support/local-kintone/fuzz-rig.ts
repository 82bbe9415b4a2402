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
export const FIELDS: FieldInputs = {
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
