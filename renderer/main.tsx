import "./zod-setup.ts";
import "./app/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient, settle } from "../shared/api/index.ts";
import { watchAnnouncements } from "./app/announcements.ts";
import { App, fetchPages } from "./app/app.tsx";
import { restoreView, watchLook } from "./app/look.ts";
import { saveFile } from "./app/save-file.ts";
import { followAttention } from "./state/attention-loop.ts";
import { followLive } from "./state/live-loop.ts";
import { openPort } from "./state/open-port.ts";
import { adoptStandard } from "./state/standard.ts";
import { createStores } from "./state/stores.ts";
import { createTexts } from "./text/i18n.ts";

/** The wiring of the window: the one line to main, the stores over it, the pages over them. */
async function open(root: HTMLElement): Promise<void> {
  const texts = await createTexts("ja");
  const first = window.localStorage.length === 0;
  const api = createClient(() => openPort(window, (url) => new WebSocket(url)));
  const stores = createStores({
    api,
    storage: window.localStorage,
    systemLanguage: navigator.language,
    operationId: () => crypto.randomUUID(),
    later(work, ms) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    summarise: (messages) => texts.t("runs.announceMany", { count: messages.length }),
    saveFile: (file) => saveFile(window.document, file),
  });
  await texts.changeLanguage(stores.preferences.store.getState().language);
  restoreView(window, stores.layout);
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  createRoot(root).render(
    <StrictMode>
      <App stores={stores} texts={texts} nonce={nonce} />
    </StrictMode>,
  );
  watchAnnouncements(stores, texts);
  const viewerId = crypto.randomUUID();
  const look = watchLook(window, (sight) => void settle(api.live.look({ viewerId, ...sight })));
  void stores.workspace.load();
  void adoptStandard(stores, first);
  // A page that could not be fetched ahead is fetched again, and its failure shown, when it is opened.
  fetchPages().catch(() => undefined);
  // Both streams live as long as the window.
  const lifetime = new AbortController().signal;
  void followAttention({ api, onPicture: stores.attention.take, wait, random: Math.random }, lifetime);
  await followLive(
    {
      api,
      viewerId,
      onBatch: stores.freeze.offer,
      onLine(line) {
        const before = stores.live.store.getState().line;
        stores.live.line(line);
        if (line === "open" && before !== "open") look();
        if (line === "open" && before === "lost") void stores.workspace.load();
      },
      wait,
      random: Math.random,
    },
    lifetime,
  );
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const root = document.getElementById("root");
if (root !== null) void open(root);
