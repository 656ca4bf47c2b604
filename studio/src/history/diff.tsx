import { useEffect, useRef, useState } from "preact/hooks";
import { difference, endsOf } from "../merge/differ.ts";
import { useLazy } from "../ui/lazy.ts";
import { t } from "../words.ts";

export interface DiffProps {
  a: string;
  b: string;
  /** What the two are called. */
  names: { a: string; b: string };
  /** Below each other, as narrow windows want it. */
  unified?: boolean;
  /** Is called with the line of a text whose number was pressed. */
  onLine?: (side: "base" | "proposed", line: number) => void;
}

/** How text a became text b, by lines. What shows it is loaded when it is first used. */
export function Diff({ a, b, names, unified = false, onLine }: DiffProps) {
  const host = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState(false);
  const press = useRef(onLine);
  press.current = onLine;
  const kind = difference(a, b);
  const said = kind === "nothing" || kind === "ends";
  const editors = useLazy(() => import("./editors.ts"), !said);
  useEffect(() => {
    if (said || !editors) return;
    const made = editors.openEditors(host.current!, { a, b, names, unified, blanks: kind === "blanks", whole, ...(onLine && { onLine: (side: "base" | "proposed", line: number) => press.current?.(side, line) }) });
    return () => made.destroy();
  }, [editors, a, b, names.a, names.b, unified, whole]);

  const ends = [endsOf(a).join(", "), endsOf(b).join(", ")] as const;
  return (
    <div class="diff">
      {kind === "nothing" && <p>{t("sameText")}</p>}
      {kind === "ends" && <p>{t("differs_ends", ...ends)}</p>}
      {kind === "blanks" && <p>{t("differs_blanks")}</p>}
      {!said && ends[0] !== ends[1] && ends[0] && ends[1] && <p>{t("differs_alsoEnds", ...ends)}</p>}
      {!said && !editors && <p class="loading">{t("loading")}</p>}
      {!said && (
        <button type="button" class="button" aria-pressed={whole} onClick={() => setWhole(!whole)}>
          {t("wholeText")}
        </button>
      )}
      <div ref={host} />
    </div>
  );
}
