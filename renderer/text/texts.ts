import actionEn from "../../shared/text/action.en.json" with { type: "json" };
import actionJa from "../../shared/text/action.ja.json" with { type: "json" };
import approvalsEn from "../../shared/text/approvals.en.json" with { type: "json" };
import approvalsJa from "../../shared/text/approvals.ja.json" with { type: "json" };
import auditEn from "../../shared/text/audit.en.json" with { type: "json" };
import auditJa from "../../shared/text/audit.ja.json" with { type: "json" };
import dayEn from "../../shared/text/day.en.json" with { type: "json" };
import dayJa from "../../shared/text/day.ja.json" with { type: "json" };
import deskEn from "../../shared/text/desk.en.json" with { type: "json" };
import deskJa from "../../shared/text/desk.ja.json" with { type: "json" };
import en from "../../shared/text/en.json" with { type: "json" };
import findingsEn from "../../shared/text/findings.en.json" with { type: "json" };
import findingsJa from "../../shared/text/findings.ja.json" with { type: "json" };
import guidanceEn from "../../shared/text/guidance.en.json" with { type: "json" };
import guidanceJa from "../../shared/text/guidance.ja.json" with { type: "json" };
import ja from "../../shared/text/ja.json" with { type: "json" };
import locksActingEn from "../../shared/text/locks-acting.en.json" with { type: "json" };
import locksActingJa from "../../shared/text/locks-acting.ja.json" with { type: "json" };
import operationsEn from "../../shared/text/operations.en.json" with { type: "json" };
import operationsJa from "../../shared/text/operations.ja.json" with { type: "json" };
import problemsEn from "../../shared/text/problems.en.json" with { type: "json" };
import problemsJa from "../../shared/text/problems.ja.json" with { type: "json" };
import processesEn from "../../shared/text/processes.en.json" with { type: "json" };
import processesJa from "../../shared/text/processes.ja.json" with { type: "json" };
import requestsEn from "../../shared/text/requests.en.json" with { type: "json" };
import requestsJa from "../../shared/text/requests.ja.json" with { type: "json" };
import unknownEn from "../../shared/text/unknown.en.json" with { type: "json" };
import unknownJa from "../../shared/text/unknown.ja.json" with { type: "json" };

/**
 * The texts of every page: one pair of files a subject, each with first keys of its own, which `npm run texts` holds
 * (operator-ux §5.1). A new subject is added here and nowhere else.
 */
export const TEXTS = {
  ja: {
    ...ja,
    ...problemsJa,
    ...findingsJa,
    ...unknownJa,
    ...operationsJa,
    ...actionJa,
    ...approvalsJa,
    ...requestsJa,
    ...processesJa,
    ...auditJa,
    ...deskJa,
    ...guidanceJa,
    ...locksActingJa,
    ...dayJa,
  },
  en: {
    ...en,
    ...problemsEn,
    ...findingsEn,
    ...unknownEn,
    ...operationsEn,
    ...actionEn,
    ...approvalsEn,
    ...requestsEn,
    ...processesEn,
    ...auditEn,
    ...deskEn,
    ...guidanceEn,
    ...locksActingEn,
    ...dayEn,
  },
} as const;
