import { useEffect, useRef } from "preact/hooks";
import { guards } from "../router.ts";
import { isLeft } from "../session.ts";

/** Asks before somebody leaves a screen on which something is not sent yet. */
export function useGuard(dirty: boolean): void {
  const now = useRef(dirty);
  now.current = dirty;
  useEffect(() => {
    const guard = () => now.current && !isLeft();
    const onLeave = (e: BeforeUnloadEvent) => guard() && e.preventDefault();
    guards.add(guard);
    addEventListener("beforeunload", onLeave);
    return () => {
      guards.delete(guard);
      removeEventListener("beforeunload", onLeave);
    };
  }, []);
}
