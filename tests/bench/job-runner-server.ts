/** Local kintone with the bench's apps, a process of its own so that server and runner do not share one core. */
import { randomBytes } from "node:crypto";
import { createLocalKintone } from "../../main/local-kintone/index.ts";
import { appFields, RUNNER_LOG_RIGHTS } from "../../shared/records/index.ts";

const [, , big = "0", small = "0"] = process.argv;
const server = createLocalKintone({
  databasePath: ":memory:",
  clock: { now: () => Date.now() },
  ids: { random: (bytes) => randomBytes(bytes) },
});
const { provision } = server;
const orders = provision.createApp({
  code: "ORDERS",
  name: "orders",
  fields: {
    number: { type: "SINGLE_LINE_TEXT", unique: true },
    customer: { type: "SINGLE_LINE_TEXT" },
    amount: { type: "NUMBER" },
    due: { type: "DATE" },
    note: { type: "MULTI_LINE_TEXT" },
  },
});
const customers = provision.createApp({
  code: "CUSTOMERS",
  name: "customers",
  fields: {
    customer: { type: "SINGLE_LINE_TEXT", unique: true },
    region: { type: "SINGLE_LINE_TEXT" },
    total: { type: "NUMBER" },
  },
});
const log = provision.createApp({ code: "LOG", name: "log", fields: appFields("jobLog", null) });
const cell = (value: string) => ({ value });

function fill(
  app: string,
  count: number,
  record: (place: number) => Record<string, { value: string }>,
): void {
  for (let at = 0; at < count; at += 1000) {
    const size = Math.min(1000, count - at);
    provision.insertRecords(
      app,
      Array.from({ length: size }, (_, place) => record(at + place)),
    );
  }
}

fill(orders, Number(big), (place) => ({
  number: cell(`N-${place}`),
  customer: cell(`C-${(place * 7919) % Math.max(1, Number(small))}`),
  amount: cell(String(((place * 31) % 100_000) / 100)),
  due: cell(`2026-04-${String((place % 28) + 1).padStart(2, "0")}`),
  note: cell(`note of the order ${place}`),
}));
fill(customers, Number(small), (place) => ({
  customer: cell(`C-${place}`),
  region: cell(`R-${place % 12}`),
}));
const rights = ["view", "add", "edit", "delete"] as const;
const tokens = {
  orders: provision.createToken(orders, [...rights], "bench"),
  customers: provision.createToken(customers, [...rights], "bench"),
  log: provision.createToken(log, [...RUNNER_LOG_RIGHTS], "bench"),
};
const { port } = await server.listen({ port: 0 });
process.stdout.write(`${JSON.stringify({ port, orders, customers, log, tokens })}\n`);
process.on("SIGTERM", () => process.exit(0));
