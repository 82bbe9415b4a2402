import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import type { Rig } from "./support.ts";

export const basic = (user: string, password: string): Record<string, string> => ({
  "X-Cybozu-Authorization": Buffer.from(`${user}:${password}`).toString("base64"),
});

/** A clock that stands until it is moved: deploys, cursors and uploads end by it. */
export interface HandClock {
  now(): number;
  advance(milliseconds: number): void;
}

export function handClock(start = Date.UTC(2026, 8, 1, 3, 4, 5)): HandClock {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

/** The official client of a user, made known to the server. */
export function userClient(rig: Rig, user: string, guestSpaceId?: number): KintoneRestAPIClient {
  rig.server.provision.createUser({ code: user, name: user }, "password");
  return new KintoneRestAPIClient({
    baseUrl: rig.baseUrl,
    auth: { username: user, password: "password" },
    proxy: false,
    ...(guestSpaceId === undefined ? {} : { guestSpaceId }),
  });
}
