import { useEffect, useRef } from "react";
import { useStores } from "../state/context.tsx";

/** Tells the store that somebody is at the panel: a plan that grew old is made anew then. */
export function useTouch() {
  const { action } = useStores();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    element?.addEventListener("pointerdown", action.touch);
    element?.addEventListener("keydown", action.touch);
    return () => {
      element?.removeEventListener("pointerdown", action.touch);
      element?.removeEventListener("keydown", action.touch);
    };
  }, [action]);
  return panel;
}
