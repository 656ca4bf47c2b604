import { useState } from "preact/hooks";
import { known } from "../session.ts";

/**
 * What somebody has typed and not sent, kept for this tab under a name, so that it is
 * there again when they come back, and nobody else. The value it begins with is not kept.
 * Where another name is another text, what shows it has another key.
 */
export function useKept<T>(name: string, first: T): [T, (value: T) => void] {
  const key = `octavo.text.${known.value?.person}.${name}`;
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? first : (JSON.parse(kept) as T);
  });
  const set = (next: T) => {
    setValue(next);
    sessionStorage.removeItem(key);
    if (next === undefined || next === first) return;
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // It is full. The text is on the screen, and leaving that asks first.
    }
  };
  return [value, set];
}
