import { UI_PAGE } from "./origin.ts";
import type { MenuEntry } from "./ports.ts";
import type { DesktopTexts } from "./texts.ts";

export interface MenuActions {
  /** Shows the window on a page. */
  readonly go: (url: string) => void;
  readonly reload: () => void;
  readonly quit: () => void;
}

/** The pages the menu leads to, with their texts. */
const PAGES = [
  ["attention", "attention"],
  ["runs", "runs"],
  ["start", "start"],
] as const;

/** The window's menu. What changes a Run is not here: that needs a page with a preview (screens.md). */
export function windowMenu(texts: DesktopTexts, actions: MenuActions): readonly MenuEntry[] {
  const { menu } = texts;
  return [
    {
      id: "file",
      label: menu.file,
      entries: [
        ...PAGES.map(([page, label], index) => ({
          id: `go.${page}`,
          label: menu[label],
          accelerator: `CmdOrCtrl+${index + 1}`,
          choose: () => actions.go(`${UI_PAGE}#/${page}`),
        })),
        { id: "quit", label: menu.quit, accelerator: "CmdOrCtrl+Q", choose: actions.quit },
      ],
    },
    {
      id: "edit",
      label: menu.edit,
      entries: [
        { id: "copy", label: menu.copy, role: "copy" },
        { id: "select-all", label: menu.selectAll, role: "selectAll" },
      ],
    },
    {
      id: "view",
      label: menu.view,
      entries: [
        { id: "reload", label: menu.reload, accelerator: "F5", choose: actions.reload },
        { id: "zoom-in", label: menu.zoomIn, role: "zoomIn" },
        { id: "zoom-out", label: menu.zoomOut, role: "zoomOut" },
        { id: "zoom-reset", label: menu.zoomReset, role: "resetZoom" },
        { id: "full-screen", label: menu.fullScreen, role: "togglefullscreen" },
      ],
    },
  ];
}

/** The menu of the icon in the notification area. */
export function trayMenu(texts: DesktopTexts, actions: MenuActions): readonly MenuEntry[] {
  return [
    { id: "tray.open", label: texts.tray.open, choose: () => actions.go(UI_PAGE) },
    { id: "tray.quit", label: texts.menu.quit, choose: actions.quit },
  ];
}
