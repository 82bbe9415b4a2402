import type { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { assertNever } from "../../shared/domain/problem.ts";
import type { KintoneRequest, UpdateEntry, WriteRequest } from "./operations.ts";

/** Requests that go through the official client; files take their own way (kintone-rest W9). */
export type ClientRequest = Exclude<KintoneRequest, { readonly kind: "uploadFile" | "downloadFile" }>;

const entryBody = (entry: UpdateEntry) => ({
  ...("id" in entry ? { id: entry.id } : { updateKey: entry.updateKey }),
  ...(entry.revision !== undefined && { revision: entry.revision }),
  record: entry.record,
});

interface WriteCall {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly endpointName: "record" | "records";
  readonly payload: object;
}

/** Method, endpoint and body of a write: the same alone and inside a bulk (kintone-rest §6, §9). */
function writeCall(request: WriteRequest): WriteCall {
  const { app } = request;
  switch (request.kind) {
    case "addRecord":
      return { method: "POST", endpointName: "record", payload: { app, record: request.record } };
    case "addRecords":
      return { method: "POST", endpointName: "records", payload: { app, records: request.records } };
    case "updateRecord":
      return { method: "PUT", endpointName: "record", payload: { app, ...entryBody(request.entry) } };
    case "updateRecords":
      return {
        method: "PUT",
        endpointName: "records",
        payload: {
          app,
          ...(request.upsert && { upsert: true }),
          records: request.entries.map(entryBody),
        },
      };
    case "deleteRecords":
      return { method: "DELETE", endpointName: "records", payload: { app, ids: request.ids } };
  }
}

function updateOne(
  client: KintoneRestAPIClient,
  app: number,
  { record, revision, ...target }: UpdateEntry,
): Promise<unknown> {
  const common = { app, record: { ...record }, ...(revision !== undefined && { revision }) };
  return "id" in target
    ? client.record.updateRecord({ ...common, id: target.id })
    : client.record.updateRecord({ ...common, updateKey: { ...target.updateKey } });
}

/**
 * Sends one request through the official client and gives back what it resolves to, unchecked. Inner paths
 * of a bulk get the guest prefix from the client itself (fenced-writes R8).
 */
export function dispatch(client: KintoneRestAPIClient, request: ClientRequest): Promise<unknown> {
  switch (request.kind) {
    case "getRecords": {
      const { app, query, fields, totalCount } = request;
      const extra = { ...(fields && { fields: [...fields] }), ...(totalCount && { totalCount }) };
      return client.record.getRecords({ app, query, ...extra });
    }
    case "addRecord":
      return client.record.addRecord({ app: request.app, record: { ...request.record } });
    case "addRecords":
      return client.record.addRecords({ app: request.app, records: [...request.records] });
    case "updateRecord":
      return updateOne(client, request.app, request.entry);
    case "updateRecords":
      return client.record.updateRecords({
        app: request.app,
        ...(request.upsert && { upsert: true }),
        records: request.entries.map(entryBody),
      });
    case "deleteRecords":
      return client.record.deleteRecords({ app: request.app, ids: [...request.ids] });
    case "bulk":
      return client.bulkRequest({ requests: request.requests.map(writeCall) });
    case "getFormFields":
      return client.app.getFormFields({ app: request.app });
    case "getAppSettings":
      return client.app.getAppSettings({ app: request.app });
    case "getAppStatus":
      return client.app.getProcessManagement({ app: request.app });
    case "getApp":
      return client.app.getApp({ id: request.app });
    default:
      return assertNever(request, "kintone request");
  }
}
