const SUFFIX = ".flownet-host.invalid";

/** Chromium aborts private schemes before they can be answered: a reserved https host stands in (toolchain §7). */
export function toHosted(url: string): string {
  const [, scheme, host, rest = ""] = /^([a-z][a-z0-9]*):\/\/([^/?#]+)(.*)$/s.exec(url) ?? [];
  if (scheme === undefined || scheme === "http" || scheme === "https" || scheme === "file") return url;
  return `https://${host}.${scheme}${SUFFIX}${rest}`;
}

/** The address of the private scheme a hosted one stands for; every other address as it is. */
export function fromHosted(url: string): string {
  const [, host, scheme, rest = ""] =
    /^https:\/\/([^/?#]+)\.([a-z][a-z0-9]*)\.flownet-host\.invalid(.*)$/s.exec(url) ?? [];
  return scheme === undefined ? url : `${scheme}://${host}${rest}`;
}
