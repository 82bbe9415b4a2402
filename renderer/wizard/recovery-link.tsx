import { useTranslation } from "react-i18next";
import { routeHash } from "../app/routes.ts";
import link from "../components/link.module.css";

interface RecoveryLinkProps {
  readonly runId: string | null;
  /** Where the Run behind a lock is not known yet. */
  readonly lockId?: string | null;
}

/** The way to the steps that bring an interrupted Run to its success. */
export function RecoveryLink({ runId, lockId = null }: RecoveryLinkProps) {
  const { t } = useTranslation();
  if (runId === null && lockId === null) return null;
  const route = runId === null ? { lockId: lockId ?? "" } : { runId };
  return (
    <a className={link.crumb} href={routeHash({ page: "recovery", ...route })}>
      {t("recovery.entry")}
    </a>
  );
}
