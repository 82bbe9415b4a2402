import { useEffect } from "react";
import { replaceRoute } from "../app/use-route.ts";
import { useStores } from "../state/context.tsx";
import type { DoubtfulNode } from "../state/unknown.ts";
import { DoubtsPage } from "./doubts-page.tsx";
import { NodePage } from "./node-page.tsx";

interface UnknownPageProps {
  readonly node: DoubtfulNode | undefined;
  /** An address may name the attempt alone; where its node is, is asked for. */
  readonly attemptId: string | undefined;
}

/** 結果不明: the list, or one node with everything that shows how its attempt ended. */
export function UnknownPage({ node, attemptId }: UnknownPageProps) {
  useLocated(attemptId);
  return node === undefined ? <DoubtsPage /> : <NodePage node={node} />;
}

/** Goes on to the attempt's node; the list stays where the attempt is not in doubt any more. */
function useLocated(attemptId: string | undefined): void {
  const { unknown } = useStores();
  useEffect(() => {
    if (attemptId === undefined) return;
    void unknown.locate(attemptId).then((found) => {
      if (found !== null) replaceRoute({ page: "unknowns", node: found });
    });
  }, [unknown, attemptId]);
}
