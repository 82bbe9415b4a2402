import type { FetchedFile } from "../state/saving.ts";

/**
 * Hands a whole file to the browser, or to the window of the desktop: either asks the operator where, and puts it there
 * whole or not at all. The address is the page's own and is given back at once.
 */
export function saveFile(document: Document, { name, type, bytes }: FetchedFile): void {
  const url = URL.createObjectURL(new Blob([...bytes], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(url);
}
