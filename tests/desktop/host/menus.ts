import { EventEmitter } from "node:events";
import type { MenuItemConstructorOptions } from "electron";
import { onlyKnown, unimplemented } from "./strict.ts";

const ITEM_OPTIONS = "id label accelerator role click submenu".split(" ");

/** A menu that a test reads and clicks by id. */
export class Menu {
  static current: Menu | null = null;
  readonly items: readonly MenuItemConstructorOptions[];

  private constructor(template: readonly MenuItemConstructorOptions[]) {
    this.items = template.flatMap(flatten);
  }
  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): Menu {
    return new Menu(template);
  }
  static setApplicationMenu(menu: Menu): void {
    Menu.current = menu;
  }
  get labels(): readonly string[] {
    return this.items.map(({ label }) => label ?? "");
  }
  /** False when there is no such entry. */
  click(id: string): boolean {
    const click = this.items.find((item) => item.id === id)?.click;
    // The three arguments Electron gives are nothing the program may rely on.
    if (click !== undefined) Reflect.apply(click, undefined, []);
    return click !== undefined;
  }
}

function flatten(item: MenuItemConstructorOptions): readonly MenuItemConstructorOptions[] {
  onlyKnown("menu item option", item, ITEM_OPTIONS);
  if (item.submenu === undefined) return [item];
  return Array.isArray(item.submenu)
    ? [item, ...item.submenu.flatMap(flatten)]
    : unimplemented("a menu as submenu");
}

export class Tray extends EventEmitter {
  static current: Tray | null = null;
  menu: Menu | null = null;
  readonly image: HostImage;
  constructor(image: HostImage) {
    super();
    this.image = image;
    Tray.current = this;
  }
  setToolTip(text: string): void {
    if (text === "") unimplemented("an empty tool tip");
  }
  setContextMenu(menu: Menu): void {
    this.menu = menu;
  }
}

interface HostImage {
  readonly bytes: Buffer;
}

export const nativeImage = {
  createFromDataURL(url: string): HostImage {
    const bytes = Buffer.from(url.replace("data:image/png;base64,", ""), "base64");
    if (bytes.subarray(1, 4).toString("latin1") !== "PNG") unimplemented("images but PNG");
    return { bytes };
  },
};
