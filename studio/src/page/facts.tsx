import type { Told } from "../editor/pause.ts";
import { t } from "../words.ts";

/** The headings of the text, each of which leads to its place. */
export function Outline({ told, goTo }: { told: Told | undefined; goTo: (line: number) => void }) {
  if (!told?.outline.length) return <p class="muted small">{t("noOutline")}</p>;
  return (
    <ol class="outline">
      {told.outline.map((h) => (
        <li key={h.from} data-level={h.level}>
          <button type="button" onClick={() => goTo(h.line)}>
            {h.text || "…"}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** How long the text is. */
export function Facts({ told }: { told: Told | undefined }) {
  const { words, minutes } = told?.counts ?? { words: 0, minutes: 0 };
  return (
    <>
      <span>{t("words", words)}</span>
      <span>{t("minutes", minutes)}</span>
    </>
  );
}
