/** Errors of Windows under the names every other part of the program knows. */
const CODES: Readonly<Record<number, string>> = {
  2: "ENOENT",
  3: "ENOENT",
  5: "EACCES",
  8: "EAGAIN",
  14: "EAGAIN",
  32: "EBUSY",
  33: "EBUSY",
  80: "EEXIST",
  112: "ENOSPC",
  123: "ENOENT",
  183: "EEXIST",
  193: "ENOEXEC",
  206: "ENAMETOOLONG",
  216: "ENOEXEC",
  267: "ENOENT",
  740: "EACCES",
  1450: "EAGAIN",
  1455: "EAGAIN",
};

/** `ENOENT` and its like; `WINDOWS_<number>` for an error nobody else has a name for. */
export function codeOfError(error: bigint): string {
  return CODES[Number(error)] ?? `WINDOWS_${error}`;
}
