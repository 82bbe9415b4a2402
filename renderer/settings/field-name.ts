import { useTranslation } from "react-i18next";
import type { SettingsFile } from "../../shared/api/index.ts";

/** Ends of places, and the labels of their fields. */
const LABELS = {
  name: "settings.connection.name",
  profile: "settings.connection.profile",
  baseUrl: "settings.connection.baseUrl",
  guestSpaceId: "settings.connection.guestSpace",
  "apps.state": "settings.slot.state",
  "apps.audit": "settings.slot.audit",
  "apps.request": "settings.slot.request",
  "apps.jobLog": "settings.slot.jobLog",
  "runner.bin": "settings.connection.bin",
  "runner.binArgs": "settings.connection.binArgs",
  "runner.configPath": "settings.connection.configPath",
  "runner.workDir": "settings.connection.workDir",
  "proxy.url": "settings.connection.proxyUrl",
  caFile: "settings.connection.caFile",
  allowListPath: "settings.connection.allowList",
  hosts: "settings.networks.hosts",
  schedulesPath: "settings.networks.schedules",
  "view.timeZone": "settings.display.timeZone",
  "budget.requestsPerAppAndDay": "settings.budget.requests",
  activeConnection: "settings.connection.use",
  "roles.otherAccounts": "settings.roles.others",
  "roles.accounts": "settings.roles.account",
} as const;
type Ending = keyof typeof LABELS;
const ENDINGS = Object.keys(LABELS).filter((key): key is Ending => Object.hasOwn(LABELS, key));

/** Names the field a fault stands at, with its connection before it. */
export function useFieldName(): (path: string, settings: SettingsFile | null) => string {
  const { t } = useTranslation();
  return (path, settings) => {
    const [, index, rest = ""] = /^connections\.(\d+)\.(.*)$/.exec(path) ?? [];
    const place = index === undefined ? path : rest;
    const ending = ENDINGS.find((each) => place === each || place.startsWith(`${each}.`));
    const label = ending === undefined ? place : t(LABELS[ending]);
    if (index === undefined) return label;
    const name = settings?.connections[Number(index)]?.name ?? "";
    return `${name === "" ? t("settings.connection.newName") : name} › ${label}`;
  };
}
