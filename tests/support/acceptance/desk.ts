import { getRecords, write } from "../../../main/kintone-client/index.ts";
import { createRequestStore } from "../../../main/store/index.ts";
import type { LoneWrite, RequestWish } from "../../../main/store/ports.ts";
import type { OperationRequest } from "../../../shared/domain/request.ts";
import { realSleep } from "../store-fixture.ts";
import type { StageServer } from "./server.ts";

/** What people do in the request app's own screen. */
export interface RequestDesk {
  /** Adds a request and answers its id. */
  ask(wish: Partial<RequestWish> & Pick<RequestWish, "type">): Promise<string>;
  /** Adds a record as it is given. */
  add(columns: Readonly<Record<string, unknown>>): Promise<string>;
  read(id: string): Promise<OperationRequest>;
  /** Columns of the record as they stand, whatever they are. */
  raw(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Ticks the request off on the revision that is shown. */
  tick(id: string, revision: number): Promise<LoneWrite>;
  edit(id: string, columns: Readonly<Record<string, unknown>>): Promise<void>;
  dispose(): Promise<void>;
}

const recordOf = (columns: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(columns).map(([code, value]) => [code, { value }]));

/** Opens it; whoever opens disposes. */
export function createDesk(server: StageServer): RequestDesk {
  const transport = server.transport();
  const app = Number(server.apps.request.id);
  const store = createRequestStore({ transport, sleep: realSleep }, app);

  async function add(columns: Readonly<Record<string, unknown>>): Promise<string> {
    const answer = await transport.send(write({ kind: "addRecord", app, record: recordOf(columns) }));
    if (answer.kind !== "ok") throw new Error(`refused: ${JSON.stringify(answer)}`);
    return answer.value.refs[0]?.recordId ?? "";
  }

  return {
    add,
    async ask(wish) {
      const asked = await store.insertRequest({
        runId: null,
        networkId: null,
        businessKey: null,
        scheduledFor: null,
        rerunFromNode: null,
        reason: "月次の締めのため",
        ...wish,
      });
      if (asked.kind !== "applied") throw new Error(`refused: ${JSON.stringify(asked)}`);
      return asked.ref.recordId;
    },
    async read(id) {
      const parsed = await store.read(id);
      if (parsed?.valid !== true) throw new Error(`request ${id} cannot be read: ${JSON.stringify(parsed)}`);
      return parsed.request;
    },
    async raw(id) {
      const answer = await transport.send(getRecords(app, `$id = ${id}`));
      if (answer.kind !== "ok") throw new Error(`refused: ${JSON.stringify(answer)}`);
      const row: unknown = answer.value[0];
      if (typeof row !== "object" || row === null) throw new Error(`request ${id} is not there`);
      return Object.fromEntries(
        Object.entries(row).map(([code, field]) => [code, Reflect.get(field, "value")]),
      );
    },
    tick: (id, revision) => store.tickCancel({ recordId: id, revision }),
    async edit(id, columns) {
      const entry = { id, record: recordOf(columns) };
      const answer = await transport.send(write({ kind: "updateRecord", app, entry }));
      if (answer.kind !== "ok") throw new Error(`refused: ${JSON.stringify(answer)}`);
    },
    dispose: () => transport.dispose(),
  };
}
