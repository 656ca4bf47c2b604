import { t } from "../words.ts";
import type { Problem } from "./notices.ts";

/** How many notices there are, and on demand which. It leads to their lines. */
export function Problems({ problems, go }: { problems: readonly Problem[]; go: (p: Problem) => void }) {
  if (problems.length === 0) return null;
  return (
    <details class="problems">
      <summary>{problems.length === 1 ? t("noticesOne") : t("notices", problems.length)}</summary>
      <ul>
        {problems.map((p, i) => (
          <li key={i}>
            <button type="button" class="menu-item" onClick={() => go(p)}>
              <span class="muted">{t("atLine", p.line)}</span> <span dir="auto">{p.message}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
