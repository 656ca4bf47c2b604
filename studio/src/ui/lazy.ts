import { useEffect, useState } from "preact/hooks";

/** A component of another bundle, undefined until it is there. A bundle that cannot be
    loaded is asked for again when the network is back. */
export function useLazy<T>(load: () => Promise<T>, wanted = true): T | undefined {
  const [loaded, setLoaded] = useState<{ part: T }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!wanted || loaded) return;
    let gone = false;
    const again = () => setTries((n) => n + 1);
    load().then(
      (part) => gone || setLoaded({ part }),
      () => gone || addEventListener("online", again, { once: true }),
    );
    return () => {
      gone = true;
      removeEventListener("online", again);
    };
  }, [wanted, tries]);
  return loaded?.part;
}
