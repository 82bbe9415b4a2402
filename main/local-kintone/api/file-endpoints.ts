import { requireRecord } from "../access/enforce.ts";
import { hiddenFields } from "../access/field-access.ts";
import { invalid } from "../errors.ts";
import type { AppState, KintoneRequest, KintoneResponse } from "../model.ts";
import type { UploadedFile } from "../storage/files.ts";
import { fileNotFound, noPrivilege, TEXT } from "../texts.ts";
import { requiredText } from "./params.ts";
import { type Call, openApp, type Services } from "./services.ts";

/**
 * The one part `file` of a multipart body; null when the body is no readable form or has no such part.
 * The parser is the runtime's own, which reads UTF-8 file names as the official client sends them.
 */
export async function readUpload(request: KintoneRequest): Promise<UploadedFile | null> {
  const type = request.headers["content-type"] ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data") || request.body === undefined) return null;
  const bytes = typeof request.body === "string" ? Buffer.from(request.body) : new Uint8Array(request.body);
  const response = new Response(bytes, { headers: { "content-type": type } });
  const part = await response.formData().then(
    (form) => form.get("file"),
    () => null,
  );
  if (part === null || typeof part === "string") return null;
  return {
    name: part.name,
    contentType: part.type === "" ? "application/octet-stream" : part.type,
    content: new Uint8Array(await part.arrayBuffer()),
  };
}

/** POST `file.json`: any credential will do (kintone-rest §4, §11). */
export function postFile(services: Services, upload: UploadedFile | null): { readonly fileKey: string } {
  if (upload === null) throw invalid("file", TEXT.parameterRequired);
  return { fileKey: services.files.upload(upload) };
}

/** View on the owning record and on the field that shows the file (kintone-rest §11). */
function requireFile(services: Services, call: Call, app: AppState, id: number, key: string): void {
  const { account } = call.actor;
  const record = services.records.find(app, id);
  if (account === null || record === null) return;
  requireRecord(services, call, app, record, "viewable");
  const hidden = hiddenFields(app, account, record);
  const shows = (value: unknown): boolean => JSON.stringify(value).includes(JSON.stringify(key));
  const isHidden = Object.entries(record.values).some(([code, value]) => hidden.has(code) && shows(value));
  if (isHidden) throw noPrivilege();
}

/** GET `file.json`: raw bytes for a download key; an upload key is 404 (kintone-rest §11). */
export function getFile(services: Services, call: Call): KintoneResponse {
  const key = requiredText(call.params.fileKey, "fileKey");
  const found = services.files.open(key);
  if (found === null) throw fileNotFound(key);
  const app = openApp(services, call, services.apps.find(found.app), found.app);
  call.actor.require(app, "view");
  requireFile(services, call, app, found.record, key);
  return {
    status: 200,
    headers: {
      "Content-Type": found.file.contentType,
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(found.file.name)}`,
    },
    body: found.file.content,
  };
}
