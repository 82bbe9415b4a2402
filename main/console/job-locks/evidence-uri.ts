/**
 * The evidence of a form as the absolute URI the runner asks for (execution-contract §2.5): what was written if it is
 * one already, else the hashes of the files that were kept, else the text itself. Its form is ours; nobody opens it.
 */
export function evidenceUri(text: string, hashes: readonly string[]): string {
  const said = text.trim();
  // A path of Windows parses as a URI of the scheme "C".
  if (hashes.length === 0 && URL.canParse(said) && /^[a-z][a-z0-9+.-]+:/i.test(said)) return said;
  const parts = [
    ...hashes.map((hash) => `sha256=${hash}`),
    ...(said === "" ? [] : [`text=${encodeURIComponent(said)}`]),
  ];
  return `flownet-evidence:${parts.join("&")}`;
}
