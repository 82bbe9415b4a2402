const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * True when a Host header names this machine and this port. A page of another site that had its name
 * resolved to 127.0.0.1 arrives with its own name here and is refused (421).
 */
export function isLoopbackHost(header: string | undefined, port: number): boolean {
  if (header === undefined) return false;
  const cut = header.lastIndexOf(":");
  if (cut < 0 || header.endsWith("]")) return port === 80 && LOOPBACK_NAMES.has(header.toLowerCase());
  return LOOPBACK_NAMES.has(header.slice(0, cut).toLowerCase()) && header.slice(cut + 1) === String(port);
}
