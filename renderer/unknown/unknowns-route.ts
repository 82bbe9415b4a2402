export interface UnknownsRoute {
  readonly page: "unknowns";
  readonly node?: { readonly runId: string; readonly nodeId: string };
  /** An attempt whose node is still to be found. */
  readonly attemptId?: string;
}

const ID_MAX = 200;

/** A part of an address as the id it carries; null when it is none. */
export function idOf(encoded: string | undefined): string | null {
  if (encoded === undefined) return null;
  try {
    const id = decodeURIComponent(encoded);
    return id === "" || id.length > ID_MAX ? null : id;
  } catch {
    return null;
  }
}

/** `#/unknown`, `#/unknown/<attempt>`, `#/unknown/<run>/<node>`; null for anything else. */
export function unknownsRoute(
  id: string | undefined,
  [part, ...rest]: readonly string[],
): UnknownsRoute | null {
  if (rest.length > 0) return null;
  if (id === undefined) return { page: "unknowns" };
  const first = idOf(id);
  if (first === null) return null;
  if (part === undefined) return { page: "unknowns", attemptId: first };
  const nodeId = idOf(part);
  return nodeId === null ? null : { page: "unknowns", node: { runId: first, nodeId } };
}

export function unknownsHash({ node, attemptId }: UnknownsRoute): string {
  if (node !== undefined) {
    return `#/unknown/${encodeURIComponent(node.runId)}/${encodeURIComponent(node.nodeId)}`;
  }
  return attemptId === undefined ? "#/unknown" : `#/unknown/${encodeURIComponent(attemptId)}`;
}
