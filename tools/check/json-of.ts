/** What a text says as JSON; undefined when it says nothing, so that a schema refuses it. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
