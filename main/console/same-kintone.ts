const THIS_HOST: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether two base URLs lead to one kintone; the names of this host are one, and a path or a slash changes nothing. Pure. */
export function isSameKintone(left: string, right: string): boolean {
  const [one, other] = [placeOf(left), placeOf(right)];
  return one !== null && one === other;
}

function placeOf(baseUrl: string): string | null {
  if (!URL.canParse(baseUrl)) return null;
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${protocol}//${THIS_HOST.has(hostname) ? "localhost" : hostname}:${port}`;
}
