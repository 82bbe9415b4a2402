import { createStores, type Stores } from "../../../renderer/state/stores.ts";
import { createClient } from "../../../shared/api/index.ts";

/** Stores over a line that never answers: a test sets what was heard itself. */
export function openStores(): Stores {
  const values: Record<string, string> = {};
  return createStores({
    api: createClient(() => ({
      post: () => undefined,
      onMessage: () => undefined,
      onClose: () => undefined,
    })),
    storage: {
      getItem: (key) => values[key] ?? null,
      setItem: (key, value) => {
        values[key] = value;
      },
    },
    systemLanguage: "ja",
    operationId: () => "00000000-0000-4000-8000-000000000000",
    later: () => () => undefined,
    summarise: (messages) => messages.join(" "),
    saveFile: () => undefined,
  });
}
