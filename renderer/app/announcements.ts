import type { i18n } from "i18next";
import { newcomers } from "../state/attention.ts";
import type { Stores } from "../state/stores.ts";
import { markedText } from "../text/marks.ts";

/**
 * Tells a screen reader when a Run or a node that is on show changes its status (operator-ux §4, 4.1.3). What was
 * there when a page opened is never announced.
 */
export function watchAnnouncements(stores: Stores, texts: i18n): () => void {
  const { announcer } = stores;
  const stopRuns = stores.runs.store.subscribe((state, before) => {
    if (state.list.rows === before.list.rows) return;
    const waiting = state.list.waiting.length;
    if (waiting > before.list.waiting.length) announcer.say(texts.t("runs.newRuns", { count: waiting }));
    for (const [runId, row] of Object.entries(state.list.rows)) {
      const known = before.list.rows[runId];
      if (known === undefined || known.status === row.status) continue;
      announcer.say(
        texts.t("runs.announceChanged", {
          key: markedText(row.businessKey, true),
          status: texts.t(`status.run.${row.status}`),
        }),
      );
    }
  });
  const stopNodes = stores.runDetail.store.subscribe((state, before) => {
    const nodes = state.detail.value?.nodes ?? [];
    if (before.runId !== state.runId) return;
    for (const node of nodes) {
      const known = before.detail.value?.nodes.find((each) => each.nodeId === node.nodeId);
      if (known === undefined || known.status === node.status) continue;
      announcer.say(
        texts.t("run.announceNode", {
          node: markedText(node.nodeId, true),
          status: texts.t(`status.node.${node.status}`),
        }),
      );
    }
  });
  const stopAttention = stores.attention.store.subscribe((state, before) => {
    if (state.picture === null || state.picture === before.picture) return;
    // A new unknown result is said at once, elsewhere; here what can wait for a pause.
    const added =
      newcomers(before.picture, state.picture) - newcomers(before.picture, state.picture, "unknown");
    if (added > 0) announcer.say(texts.t("attention.added", { count: added }));
  });
  return () => {
    stopAttention();
    stopRuns();
    stopNodes();
  };
}
