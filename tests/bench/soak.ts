/** `npm run soak -- --minutes 30`: whether a console that is left open grows or works for nothing (operator-ux §3.2, idle). */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { z } from "zod";
import { chromiumOptions } from "../console/support/chromium.ts";
import { machineLine, printTable } from "./machine.ts";
import { createProbe, type Probe } from "./page-probe.ts";

const PAGES = join(import.meta.dirname, "..", "..", "build", "renderer");
/** Samples of one soak; a Run is started before every third of them. */
const SAMPLES = 12;
const RUN_EVERY = 3;
/** Left alone before the first sample, so that what is made once is made. Milliseconds. */
const SETTLE_MS = 20_000;
const MIB = 2 ** 20;

const mainFigures = z.object({
  heapBytes: z.number(),
  rssBytes: z.number(),
  handles: z.number(),
  cpuSeconds: z.number(),
});

async function ask<T>(main: ChildProcess, asked: string, answer: z.ZodType<T>): Promise<T> {
  const answered = once(main, "message");
  main.send(asked);
  const [message] = await answered;
  return answer.parse(message);
}

interface Sample {
  readonly minute: number;
  /** A Run ended just before it: what main does after one is no idling. */
  readonly afterRun: boolean;
  readonly mainHeap: number;
  readonly mainRss: number;
  readonly handles: number;
  readonly mainCpu: number;
  readonly pageHeap: number;
  readonly pageCpu: number;
}

async function sampleOf(
  main: ChildProcess,
  probe: Probe,
  startMs: number,
  quietMs: number,
): Promise<Omit<Sample, "afterRun">> {
  const before = await ask(main, "figures", mainFigures);
  const busy = await probe.busySeconds();
  await delay(quietMs);
  const pageCpu = ((await probe.busySeconds()) - busy) / (quietMs / 100_000);
  const after = await ask(main, "figures", mainFigures);
  return {
    minute: (Date.now() - startMs) / 60_000,
    mainHeap: after.heapBytes / MIB,
    mainRss: after.rssBytes / MIB,
    handles: after.handles,
    mainCpu: (after.cpuSeconds - before.cpuSeconds) / (quietMs / 100_000),
    pageHeap: (await probe.heapBytes()) / MIB,
    pageCpu,
  };
}

async function soak(minutes: number, dataDir: string): Promise<readonly Sample[]> {
  const main = fork(join(import.meta.dirname, "soak-console.ts"), [dataDir, PAGES], {
    execArgv: ["--expose-gc"],
  });
  const [first] = await once(main, "message");
  const { link } = z.object({ link: z.string() }).parse(first);
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const probe = await createProbe(page);
    await page.goto(link);
    await probe.open("#/runs", "main h1");
    await delay(SETTLE_MS);
    return await samplesOf(main, probe, minutes);
  } finally {
    await browser.close();
    const ended = once(main, "exit");
    main.send("end");
    await ended;
  }
}

async function samplesOf(main: ChildProcess, probe: Probe, minutes: number): Promise<readonly Sample[]> {
  const startMs = Date.now();
  const samples: Sample[] = [];
  for (let turn = 0; turn < SAMPLES; turn++) {
    if (turn % RUN_EVERY === 0) {
      const { state } = await ask(main, "run", z.object({ state: z.string() }));
      console.log(
        `${((Date.now() - startMs) / 60_000).toFixed(1)} min: a Run was started and came to ${state}`,
      );
    }
    const due = startMs + ((turn + 1) * minutes * 60_000) / SAMPLES;
    const sample = await sampleOf(main, probe, startMs, Math.max(5_000, due - Date.now()));
    samples.push({ ...sample, afterRun: turn % RUN_EVERY === 0 });
    console.log(lineOf(sample));
  }
  return samples;
}

const lineOf = (each: Omit<Sample, "afterRun">): string =>
  `${each.minute.toFixed(1)} min: main heap ${each.mainHeap.toFixed(1)} MiB, rss ${each.mainRss.toFixed(0)} MiB, ` +
  `${each.handles} handles, CPU ${each.mainCpu.toFixed(2)} %; page heap ${each.pageHeap.toFixed(1)} MiB, CPU ${each.pageCpu.toFixed(2)} %`;

/** Growth from the first sample to the last, in per cent. */
const growth = (samples: readonly Sample[], of: (sample: Sample) => number): string => {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined) return "";
  return `${(((of(last) - of(first)) / of(first)) * 100).toFixed(1)} %`;
};

const mean = (samples: readonly Sample[], of: (sample: Sample) => number): string =>
  `${(samples.reduce((sum, each) => sum + of(each), 0) / Math.max(1, samples.length)).toFixed(2)} %`;
const idle = (samples: readonly Sample[]): readonly Sample[] => samples.filter(({ afterRun }) => !afterRun);

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1)) {
  console.error(`Error [WRONG_MINUTES]: --minutes ${values.minutes} is no number of minutes from 1 on.`);
  process.exitCode = 1;
} else {
  console.log(machineLine());
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-soak-"));
  try {
    const samples = await soak(minutes, dataDir);
    printTable(`Soak of ${minutes} minutes, a small Run now and then`, [
      {
        what: "heap growth of main",
        figure: growth(samples, (each) => each.mainHeap),
        budget: "< 5 % in 72 h",
      },
      {
        what: "heap growth of the page",
        figure: growth(samples, (each) => each.pageHeap),
        budget: "< 5 % in 72 h",
      },
      { what: "more handles of main", figure: growth(samples, (each) => each.handles), budget: "" },
      {
        what: "idle CPU of main, mean",
        figure: mean(idle(samples), (each) => each.mainCpu),
        budget: "< 1 %",
      },
      {
        what: "idle CPU of the page's thread, mean",
        figure: mean(idle(samples), (each) => each.pageCpu),
        budget: "< 1 %",
      },
    ]);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
