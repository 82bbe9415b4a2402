import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import notice from "../app/shell.module.css";
import { useStores } from "../state/context.tsx";

/** Stands above every page until an approver has looked at what was done without one (operator-ux §2.4). */
export function ReviewNotice() {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const count = useStore(approvals.store, ({ unreviewed }) => unreviewed.value?.length ?? 0);
  if (count === 0) return null;
  return (
    <div className={notice.notice} data-testid="review-notice">
      <strong>{t("approvals.notice.title")}</strong>
      <span className={notice.noticeText}>{t("approvals.notice.count", { count })}</span>
      <a href={routeHash({ page: "settings", section: "approvers" })}>{t("approvals.notice.open")}</a>
    </div>
  );
}
