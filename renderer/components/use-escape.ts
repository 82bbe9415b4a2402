import { useEffect, useRef } from "react";

/** Esc leaves a page. Not while an IME composes, and not when something nearer took the key (operator-ux §5.1). */
export function useEscape(leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !event.isComposing && !event.defaultPrevented) latest.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
