/** The name the preload gives its two functions in the page. */
export const DESKTOP_LINE = "flownetLine";
/** The one channel between page and main (decisions §1). */
export const LINE_CHANNEL = "flownet-line";

/** All that a page in the desktop window gets of main: the two ends of a line of text. */
export interface DesktopLine {
  post(data: string): void;
  onMessage(listener: (data: string) => void): void;
}
