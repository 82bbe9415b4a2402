import { randomUUID } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { Refusal, UnknownOutcome } from "./answer.ts";
import { classifyErrorBody, classifyNetworkError, classifyTextBody } from "./classify.ts";
import type { Connection } from "./connection.ts";
import type { KintoneRequest } from "./operations.ts";

export type FileRequest = Extract<KintoneRequest, { readonly kind: "uploadFile" | "downloadFile" }>;

interface FileCall {
  readonly connection: Connection;
  readonly guestSpaceId: number | null;
  /** Credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface RawResponse {
  readonly status: number;
  readonly body: Buffer;
}

type FileOutcome = { readonly kind: "raw"; readonly raw: unknown } | Refusal | UnknownOutcome;

/** A quote or line break in a file name would end the header early. */
const headerSafe = (name: string): string => name.replace(/["\r\n]/g, "_");

function multipart(request: Extract<FileRequest, { readonly kind: "uploadFile" }>) {
  const boundary = `flownet-${randomUUID()}`;
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${headerSafe(request.name)}"`,
    `Content-Type: ${request.contentType}`,
    "",
    "",
  ].join("\r\n");
  const body = Buffer.concat([Buffer.from(head), request.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function exchange(
  call: FileCall,
  method: string,
  url: URL,
  headers: object,
  body?: Buffer,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const outgoing = request(url, {
      method,
      agent: call.connection.agent,
      headers: { ...call.headers, ...headers },
      signal: call.signal,
      timeout: call.timeoutMs,
    });
    outgoing.on("timeout", () =>
      outgoing.destroy(Object.assign(new Error("timed out"), { code: "ETIMEDOUT" })),
    );
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    outgoing.end(body);
  });
}

function parseJson(body: Buffer): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(body.toString("utf8")) };
  } catch {
    return { ok: false };
  }
}

function judge({ status, body }: RawResponse, binary: boolean): FileOutcome {
  if (status >= 200 && status < 300 && binary) return { kind: "raw", raw: new Uint8Array(body) };
  const json = parseJson(body);
  if (status >= 200 && status < 300) {
    return json.ok ? { kind: "raw", raw: json.value } : { kind: "unknown", reason: "unreadable", status };
  }
  return json.ok ? classifyErrorBody(status, json.value, null) : classifyTextBody(status);
}

/**
 * Uploads or downloads a file without the official client, which loses the error code of a refused download
 * (kintone-rest W9, §11). Never throws: a broken connection is an unknown outcome.
 */
export async function transferFile(request: FileRequest, call: FileCall): Promise<FileOutcome> {
  const guest = call.guestSpaceId === null ? "" : `/guest/${call.guestSpaceId}`;
  const url = new URL(`${call.connection.baseUrl}/k${guest}/v1/file.json`);
  try {
    if (request.kind === "downloadFile") {
      url.searchParams.set("fileKey", request.fileKey);
      return judge(await exchange(call, "GET", url, {}), true);
    }
    const { contentType, body } = multipart(request);
    const headers = { "Content-Type": contentType, "Content-Length": body.byteLength };
    return judge(await exchange(call, "POST", url, headers, body), false);
  } catch (error) {
    return classifyNetworkError(error);
  }
}
