import { useTranslation } from "react-i18next";
import type { NodeFacts } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import link from "../components/link.module.css";
import page from "../components/page.module.css";

interface ResolveLinkProps {
  readonly runId: string;
  readonly node: Pick<NodeFacts, "nodeId" | "status" | "idempotent">;
}

/** The way to the evidence of a node whose outcome is a person's to decide (orchestration §5.4, rule 6). */
export function ResolveLink({ runId, node }: ResolveLinkProps) {
  const { t } = useTranslation();
  const { nodeId, status, idempotent } = node;
  if (status !== "UNKNOWN" && (status !== "FAILED" || idempotent)) return null;
  return (
    <p className={page.text}>
      <a className={link.link} href={routeHash({ page: "unknowns", node: { runId, nodeId } })}>
        {t("unknown.next.unknown")}
      </a>
    </p>
  );
}
