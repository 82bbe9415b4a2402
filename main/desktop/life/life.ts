import { BORN, delaysSessionEnd, type Life, type LifeEffect, type LifeEvent, step } from "./phase.ts";

export interface LifeShell {
  tell(event: LifeEvent): void;
  current(): Life;
  delaysSessionEnd(): boolean;
}

/** Holds the state of {@link step} and hands out its effects, one event wholly before the next. */
export function createLife(perform: (effect: LifeEffect) => void): LifeShell {
  let life = BORN;
  const queue: LifeEvent[] = [];
  let busy = false;
  return {
    tell(event) {
      queue.push(event);
      if (busy) return;
      busy = true;
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          const made = step(life, next);
          life = made.life;
          for (const effect of made.effects) perform(effect);
        }
      } finally {
        busy = false;
      }
    },
    current: () => life,
    delaysSessionEnd: () => delaysSessionEnd(life),
  };
}
