import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getCACertificates } from "node:tls";
import type { ConnectionSettings } from "../../../shared/api/index.ts";
import { errorText, FlowError } from "../../../shared/domain/problem.ts";
import type { Reach } from "../environment.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Which proxy the operating system names for an address; null for none. */
export type SystemProxy = (url: string) => Promise<string | null>;

/** The proxy the environment names. A desktop front knows more, and hands in its own. */
export function proxyFromEnv(env: Env): SystemProxy {
  return async (url) => {
    const { hostname } = new URL(url);
    const excepted = (env.NO_PROXY ?? env.no_proxy ?? "")
      .split(",")
      .map((entry) => entry.trim().replace(/^\*?\./, ""))
      .filter((entry) => entry !== "");
    const direct = excepted.some(
      (entry) => entry === "*" || hostname === entry || hostname.endsWith(`.${entry}`),
    );
    const named = env.HTTPS_PROXY ?? env.https_proxy ?? "";
    return direct || named === "" ? null : named;
  };
}

/** The proxy of a connection; null for none. This machine is never reached through one (kintone-rest W9). */
async function proxyOf(
  connection: Pick<ConnectionSettings, "proxy" | "baseUrl">,
  systemProxy: SystemProxy,
): Promise<string | null> {
  if (new URL(connection.baseUrl).hostname === "localhost") return null;
  if (connection.proxy.mode === "manual") return connection.proxy.url.replace(/\/$/, "");
  return connection.proxy.mode === "system" ? systemProxy(connection.baseUrl) : null;
}

/** A proxy's address as it may be shown: without the login somebody wrote into it (electron-desktop S4). Pure. */
export const shownProxy = (proxyUrl: string): string =>
  proxyUrl.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/i, "$1");

/** What of a proxy's address opens something, as it stands and decoded. Pure. */
export function proxySecrets(proxyUrl: string | undefined): readonly string[] {
  const login = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(.*)@/i.exec(proxyUrl ?? "")?.[1] ?? "";
  const password = login.slice(login.indexOf(":") + 1);
  if (login === "" || password === "") return [];
  return [...new Set([login, password, decoded(password)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded: it is the password itself.
    return text;
  }
}

/**
 * Certificates of a file, PEM text each. Errors as `FlowError` with the file as place: `CA_FILE_UNREADABLE`,
 * `CA_FILE_NOT_PEM`.
 */
async function readCaFile(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw caProblem("CA_FILE_UNREADABLE", `The certificate file cannot be read: ${errorText(error)}`, path);
  });
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch {
    throw caProblem("CA_FILE_NOT_PEM", "One of its certificates cannot be read.", path);
  }
  if (blocks.length > 0) return blocks;
  throw caProblem("CA_FILE_NOT_PEM", "It holds no certificate in PEM form.", path);
}

/** How a connection's kintone is reached: proxy, further authorities, guest space. Errors of {@link readCaFile}. */
export async function reachOf(connection: ConnectionSettings, systemProxy: SystemProxy): Promise<Reach> {
  const proxyUrl = await proxyOf(connection, systemProxy);
  const own = connection.caFile === null ? null : await readCaFile(connection.caFile);
  return {
    ...(connection.guestSpaceId === null ? {} : { guestSpaceId: connection.guestSpaceId }),
    ...(proxyUrl === null ? {} : { proxyUrl }),
    // A list of authorities takes the place of the built-in one, so both are handed on.
    ...(own === null ? {} : { ca: [...getCACertificates("default"), ...own] }),
  };
}

const caProblem = (code: string, message: string, place: string): FlowError =>
  new FlowError({
    code,
    message,
    place,
    remedy: "Name a PEM file (BEGIN CERTIFICATE) with the certificate of your authority.",
  });
