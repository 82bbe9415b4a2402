import type { StoreApi } from "zustand/vanilla";
import { type ActionDraft, changedIntent, draftKey } from "./action-draft.ts";
import type { ActionDeps, ActionState } from "./action-state.ts";
import { type EvidenceFile, type EvidenceSource, freshFile, sendEvidence } from "./evidence-files.ts";

/** Most files an intent names. */
const FILES_MAX = 20;

/** The draft with its files changed; the intent names those that are kept. */
function withFiles(draft: ActionDraft, change: (files: readonly EvidenceFile[]) => readonly EvidenceFile[]) {
  const files = change(draft.files);
  const kept = [...new Set(files.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256])))];
  const intent =
    "evidenceFiles" in draft.intent ? changedIntent(draft.intent, { evidenceFiles: kept }) : null;
  return { ...draft, files, intent: intent ?? draft.intent };
}

/** Files given as proof, sent while the form is still filled in; a closed dialog does not stop them. */
export function createFiles(
  store: StoreApi<ActionState>,
  drafts: Map<string, ActionDraft>,
  deps: Pick<ActionDeps, "api" | "operationId">,
) {
  const patch = (key: string, change: Parameters<typeof withFiles>[1]): void => {
    const { draft } = store.getState();
    if (draft !== null && draftKey(draft.intent) === key) {
      store.setState({ draft: withFiles(draft, change), sendProblem: null });
      return;
    }
    const away = drafts.get(key);
    if (away !== undefined) drafts.set(key, withFiles(away, change));
  };
  const filesOf = (key: string): readonly EvidenceFile[] => {
    const { draft } = store.getState();
    return (draft !== null && draftKey(draft.intent) === key ? draft : drafts.get(key))?.files ?? [];
  };
  const send = async (key: string, source: EvidenceSource): Promise<void> => {
    const file = freshFile(deps.operationId(), source);
    patch(key, (files) => [...files, file]);
    await sendEvidence({
      api: deps.api,
      uploadId: file.id,
      source,
      tell: (change) =>
        patch(key, (files) => files.map((each) => (each.id === file.id ? { ...each, ...change } : each))),
      wanted: () => filesOf(key).some(({ id }) => id === file.id),
    });
  };
  return {
    /** Takes files over, one after the other; more than an intent names are left out. */
    async addFiles(sources: readonly EvidenceSource[]): Promise<void> {
      const { draft } = store.getState();
      if (draft === null) return;
      const key = draftKey(draft.intent);
      for (const source of sources) {
        if (filesOf(key).length < FILES_MAX) await send(key, source);
      }
    },
    removeFile(id: string): void {
      const { draft } = store.getState();
      if (draft !== null) patch(draftKey(draft.intent), (files) => files.filter((each) => each.id !== id));
    },
  };
}
