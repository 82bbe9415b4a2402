import { useEffect, useState } from "react";

/**
 * Whether the button works: some time after everything else is there, and anew whenever that changes (operator-ux §2.1,
 * arm delay). `key` names what is complete; null while something is missing. Milliseconds.
 */
export function useArm(key: string | null, ms: number): boolean {
  const [armed, setArmed] = useState<string | null>(null);
  useEffect(() => {
    if (key === null || ms === 0) return;
    const timer = setTimeout(() => setArmed(key), ms);
    return () => {
      clearTimeout(timer);
      setArmed(null);
    };
  }, [key, ms]);
  return key !== null && (ms === 0 || armed === key);
}
