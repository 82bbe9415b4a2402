import { EventEmitter } from "node:events";
import type { NotificationConstructorOptions } from "electron";
import { onlyKnown, unimplemented } from "./strict.ts";

const OPTIONS = "title body urgency".split(" ");

/** A notice of the system: recorded, and clicked by a test. */
export class Notification extends EventEmitter {
  static readonly shown: Notification[] = [];
  readonly options: NotificationConstructorOptions;
  private open = false;

  constructor(options: NotificationConstructorOptions) {
    super();
    onlyKnown("notification option", options, OPTIONS);
    this.options = options;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    if (this.open) unimplemented("showing a notification twice");
    this.open = true;
    Notification.shown.push(this);
  }
  close(): void {
    if (!this.open) return;
    this.open = false;
    this.emit("close");
  }
}
