/** The day across networks, as its address says; without a day it is today's. */
export interface TimelineRoute {
  readonly page: "timeline";
  /** `YYYY-MM-DD` in the window's zone. */
  readonly day?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The page of an address; a day that is none counts as absent (electron-desktop P7). */
export function timelineRoute(parameters: URLSearchParams): TimelineRoute {
  const day = parameters.get("day");
  return day !== null && isDay(day) ? { page: "timeline", day } : { page: "timeline" };
}

/** The address of a page; `timelineRoute` gives the page back. */
export const timelineHash = ({ day }: TimelineRoute): string =>
  day === undefined ? "#/timeline" : `#/timeline?${new URLSearchParams({ day })}`;

/** Whether a text is a calendar day. */
export function isDay(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}
