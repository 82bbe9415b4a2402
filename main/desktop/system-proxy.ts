/**
 * The proxy in an answer of the system's resolution, as a URL; null for a direct connection (electron-desktop N1).
 * The answer is a list in the form of proxy configuration scripts, and the first entry counts. A kind that the
 * kintone client cannot speak is no proxy it could use: the connection check then says what did not answer.
 */
export function proxyFromAnswer(answer: string): string | null {
  const [, kind = "", place = ""] = /^\s*(\w+)\s*([^;\s]*)/.exec(answer) ?? [];
  if (!/^(\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i.test(place)) return null;
  if (kind === "PROXY" || kind === "HTTP") return `http://${place}`;
  return kind === "HTTPS" ? `https://${place}` : null;
}
