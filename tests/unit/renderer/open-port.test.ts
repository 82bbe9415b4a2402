import { describe, expect, it } from "vitest";
import { openPort } from "../../../renderer/state/open-port.ts";

describe("the line a page takes (architecture §6: two fronts, the same pages)", () => {
  const noSocket = (): never => {
    throw new Error("a socket was opened");
  };

  it("is the preload's where there is one, and no socket is opened", () => {
    const posted: string[] = [];
    const listeners: ((data: string) => void)[] = [];
    const flownetLine = {
      post: (data: string) => void posted.push(data),
      onMessage: (listener: (data: string) => void) => void listeners.push(listener),
    };
    const port = openPort({ location: { host: "ui" }, flownetLine }, noSocket);
    const heard: string[] = [];
    port.onMessage((data) => heard.push(data));
    port.post("question");
    for (const listener of listeners) listener("answer");
    expect([posted, heard]).toEqual([["question"], ["answer"]]);
  });

  it("is else the socket of the front that served the page", () => {
    const opened: string[] = [];
    class Stop extends Error {}
    const openSocket = (url: string): never => {
      opened.push(url);
      throw new Stop();
    };
    expect(() => openPort({ location: { host: "127.0.0.1:8730" } }, openSocket)).toThrow(Stop);
    expect(opened).toEqual(["ws://127.0.0.1:8730/api"]);
  });
});
