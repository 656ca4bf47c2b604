import { useState } from "preact/hooks";

const keyOf = (name: string) => `octavo.text.${name}`;

/**
 * What somebody has typed and not sent, kept for this tab under a name, so that it is
 * there again when they come back. The value it begins with is not kept.
 */
export function useKept<T>(name: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(keyOf(name));
    return kept === null ? first : (JSON.parse(kept) as T);
  });
  const set = (next: T) => {
    setValue(next);
    if (next === undefined || next === first) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), JSON.stringify(next));
  };
  return [value, set];
}
