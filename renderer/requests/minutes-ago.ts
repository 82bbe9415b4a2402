import type { TFunction } from "i18next";

/** How long ago a time that is kept to the minute was: no seconds are invented (operator-ux §1.1). `now` in epoch milliseconds. */
export function minutesAgo(at: string, now: number, t: TFunction): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (!(minutes >= 1)) return t("requests.justNow");
  if (minutes < 60) return t("requests.minutesAgo", { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? t("requests.hoursAgo", { count: hours })
    : t("requests.daysAgo", { count: Math.floor(hours / 24) });
}
