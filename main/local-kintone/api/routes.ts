import { listApis } from "./apis-endpoint.ts";
import { getApp, getApps } from "./app-endpoints.ts";
import { bulkRequest } from "./bulk.ts";
import { deleteComment, getComments, postComment } from "./comment-endpoints.ts";
import { deleteCursor, getCursor, postCursor } from "./cursor-endpoints.ts";
import { evaluateRecords } from "./evaluate-endpoint.ts";
import { getFile, postFile } from "./file-endpoints.ts";
import { type Context, type Handler, type Methods, read, show, write } from "./handlers.ts";
import { getRecord, getRecords } from "./read-records.ts";
import { deleteRecords, postRecord, postRecords, putRecord, putRecords } from "./record-endpoints.ts";
import { jsonResponse } from "./respond.ts";
import { SETTINGS_ROUTES } from "./settings/routes.ts";
import { getSpace } from "./space-endpoints.ts";
import { putAssignees, putStatus, putStatuses } from "./status-endpoints.ts";
import { statusOf } from "./status-of.ts";

const bulk: Handler = ({ services, call, locale }) => {
  const answer = bulkRequest(services, call, { locale, ids: services.ids });
  const body = JSON.stringify({ results: answer.results });
  return jsonResponse(statusOf(services.switches, answer), body, answer.code ?? undefined);
};

/** Every path behind `/k/v1/` with its methods (kintone-rest §6-§12). */
export const ROUTES: ReadonlyMap<string, Methods> = new Map<string, Methods>([
  ["apis.json", { GET: () => jsonResponse(200, JSON.stringify(listApis(ROUTES))) }],
  ["record.json", { GET: read(getRecord), POST: write(postRecord), PUT: write(putRecord) }],
  [
    "records.json",
    {
      GET: read(getRecords),
      POST: write(postRecords),
      PUT: write(putRecords),
      DELETE: write(deleteRecords),
    },
  ],
  ["records/cursor.json", { POST: write(postCursor), GET: read(getCursor), DELETE: show(deleteCursor) }],
  ["record/comment.json", { POST: write(postComment), DELETE: write(deleteComment) }],
  ["record/comments.json", { GET: show(getComments) }],
  ["record/status.json", { PUT: write(putStatus) }],
  ["records/status.json", { PUT: write(putStatuses) }],
  ["record/assignees.json", { PUT: write(putAssignees) }],
  ["records/acl/evaluate.json", { GET: show(evaluateRecords) }],
  ["bulkRequest.json", { POST: bulk }],
  [
    "file.json",
    {
      GET: ({ services, call }: Context) => getFile(services, call),
      POST: ({ services, upload }: Context) => jsonResponse(200, JSON.stringify(postFile(services, upload))),
    },
  ],
  ["app.json", { GET: show(getApp) }],
  ["apps.json", { GET: show(getApps) }],
  ["space.json", { GET: show(getSpace) }],
  ...SETTINGS_ROUTES,
]);
