import { useEffect, useRef, useState } from "preact/hooks";
import { difference, endsOf } from "../merge/differ.ts";
import { t } from "../words.ts";

export interface DiffProps {
  a: string;
  b: string;
  /** What the two are called. */
  names: { a: string; b: string };
  /** Below each other, as narrow windows want it. */
  unified?: boolean;
}

/** How text a became text b, by lines. What shows it is loaded when it is first used. */
export function Diff({ a, b, names, unified = false }: DiffProps) {
  const host = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const kind = difference(a, b);
  const said = kind === "nothing" || kind === "ends";
  useEffect(() => {
    if (said) return;
    let gone = false;
    let made: { destroy(): void } | undefined;
    void import("./editors.ts").then((m) => {
      if (gone) return;
      made = m.openEditors(host.current!, { a, b, names, unified, blanks: kind === "blanks" });
      setReady(true);
    });
    return () => {
      gone = true;
      made?.destroy();
    };
  }, [a, b, names.a, names.b, unified]);

  const ends = [endsOf(a).join(", "), endsOf(b).join(", ")] as const;
  return (
    <div class="diff">
      {kind === "nothing" && <p>{t("sameText")}</p>}
      {kind === "ends" && <p>{t("differs_ends", ...ends)}</p>}
      {kind === "blanks" && <p>{t("differs_blanks")}</p>}
      {!said && ends[0] !== ends[1] && ends[0] && ends[1] && <p>{t("differs_alsoEnds", ...ends)}</p>}
      {!said && !ready && <p class="loading">{t("loading")}</p>}
      <div ref={host} />
    </div>
  );
}
