import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t, type Word } from "../words.ts";

export interface Panel {
  name: Word;
  count?: number;
  show: () => ComponentChildren;
}

/** The panels beside the text, one of which shows: tabs that arrow keys move between. */
export function Side({ panels }: { panels: Panel[] }) {
  const [chosen, setChosen] = useState<Word>(panels[0]!.name);
  const at = Math.max(0, panels.findIndex((p) => p.name === chosen));
  const move = (e: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const next = panels[(at + step + panels.length) % panels.length]!;
    setChosen(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <>
      <div class="side-tabs" role="tablist" aria-label={t("panels")} onKeyDown={move}>
        {panels.map((p, i) => (
          <button
            key={p.name}
            id={`tab-${p.name}`}
            role="tab"
            aria-selected={i === at}
            aria-controls="side-panel"
            tabIndex={i === at ? 0 : -1}
            onClick={() => setChosen(p.name)}
          >
            {t(p.name)}
            {p.count ? ` ${p.count}` : ""}
          </button>
        ))}
      </div>
      <div class="side-panel" id="side-panel" role="tabpanel" aria-labelledby={`tab-${panels[at]!.name}`} tabIndex={0}>
        {panels[at]!.show()}
      </div>
    </>
  );
}
