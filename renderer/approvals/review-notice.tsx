import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import notice from "../app/shell.module.css";
import { useNow, useStores } from "../state/context.tsx";
import { stillOpen } from "./still-open.ts";

/** Stands above every page while an approver is needed: for what was filed, and for what was done without one (operator-ux §2.4). */
export function ReviewNotice() {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const count = useStore(approvals.store, ({ unreviewed }) => unreviewed.value?.length ?? 0);
  const anyFiled = useStore(approvals.store, ({ filed }) => (filed.value?.length ?? 0) > 0);
  return (
    <>
      {anyFiled && <FiledNotice />}
      {count > 0 && (
        <div className={notice.notice} data-testid="review-notice">
          <strong>{t("approvals.notice.title")}</strong>
          <span className={notice.noticeText}>{t("approvals.notice.count", { count })}</span>
          <Way words={t("approvals.notice.open")} />
        </div>
      )}
    </>
  );
}

/** Apart, so that the clock of the expiries runs only while something waits. */
function FiledNotice() {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const filed = useStore(approvals.store, (state) => state.filed.value);
  const count = stillOpen(filed ?? [], useNow()).length;
  if (count === 0) return null;
  return (
    <div className={notice.notice} data-testid="filed-notice">
      <strong>{t("approvals.notice.filed")}</strong>
      <span className={notice.noticeText}>{t("approvals.notice.filedCount", { count })}</span>
      <Way words={t("approvals.notice.openFiled")} />
    </div>
  );
}

const Way = ({ words }: { readonly words: string }) => (
  <a href={routeHash({ page: "settings", section: "approvers" })}>{words}</a>
);
