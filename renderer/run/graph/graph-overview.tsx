import { ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";
import type { CausePath } from "../cause.ts";
import type { DrawnGraph } from "./collapse.ts";
import styles from "./graph.module.css";
import { toneOf } from "./graph-node.tsx";
import { type Layout, NODE_HEIGHT, NODE_WIDTH } from "./layout.ts";
import { boundsOf, boxesPath, linesPath } from "./overview.ts";

interface OverviewProps {
  readonly drawn: DrawnGraph;
  readonly layout: Layout;
  readonly path: CausePath;
}

/**
 * A large graph seen from far: no text could be read there, so all of it is one path a tone and one for the edges.
 * A thousand boxes with their edges would take the page half a second (operator-ux §3.2). For the eye alone: whoever
 * cannot see it has the list with the same information.
 */
export const Overview = memo(function Overview({ drawn, layout, path }: OverviewProps) {
  const { x, y, width, height } = useMemo(() => boundsOf(layout), [layout]);
  const lines = useMemo(() => linesPath(drawn.edges, layout), [drawn.edges, layout]);
  const causes = useMemo(
    () =>
      linesPath(
        drawn.edges.filter((edge) => path.edgeIds.has(edge.id)),
        layout,
      ),
    [drawn.edges, layout, path],
  );
  const tones = useMemo(() => {
    const byTone = Map.groupBy(drawn.nodes, ({ node }) => toneOf(node));
    return [...byTone].map(([tone, nodes]) => ({
      tone,
      shape: boxesPath(
        nodes.map((node) => node.id),
        layout,
      ),
    }));
  }, [drawn.nodes, layout]);
  return (
    <ViewportPortal>
      <svg
        className={styles.overview}
        style={{ transform: `translate(${x}px, ${y}px)` }}
        width={width + NODE_WIDTH}
        height={height + NODE_HEIGHT}
        viewBox={`${x} ${y} ${width + NODE_WIDTH} ${height + NODE_HEIGHT}`}
        aria-hidden="true"
      >
        <path className={styles.farEdge} d={lines} />
        {causes !== "" && <path className={styles.farCause} d={causes} />}
        {tones.map(({ tone, shape }) => (
          <path key={tone} d={shape} fill={`var(--tone-${tone})`} />
        ))}
      </svg>
    </ViewportPortal>
  );
});
