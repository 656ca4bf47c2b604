import { useEffect, useState } from "preact/hooks";

const pause = 3000; // milliseconds before a bundle is asked for again

/** A component of another bundle, undefined until it is there. A bundle that cannot be
    loaded is told to onFault, and asked for again until it comes. */
export function useLazy<T>(load: () => Promise<T>, wanted = true, onFault?: (fault: unknown) => void): T | undefined {
  const [loaded, setLoaded] = useState<{ part: T }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!wanted || loaded) return;
    const end = new AbortController();
    load().then(
      (part) => end.signal.aborted || setLoaded({ part }),
      (fault: unknown) => {
        if (end.signal.aborted) return;
        onFault?.(fault);
        const again = () => setTries((n) => n + 1);
        const timer = setTimeout(again, pause);
        end.signal.addEventListener("abort", () => clearTimeout(timer));
        addEventListener("online", again, { once: true, signal: end.signal });
      },
    );
    return () => end.abort();
  }, [wanted, tries]);
  return loaded?.part;
}
