import type { ComponentChildren } from "preact";
import { Problem, SignedOut, Told, Unreachable } from "../api/client.ts";
import { place } from "../session.ts";
import { t, type Word } from "../words.ts";

const mends: Record<number, Word> = { 403: "mend403", 404: "mend404", 429: "mend429" };

/** A screen that cannot be shown. */
export function Failed({ title, problem, retry }: { title: string; problem: unknown; retry: () => void }) {
  return (
    <div class="page-width">
      <h1>{title}</h1>
      <ProblemNote problem={problem} retry={retry} />
    </div>
  );
}

/** What went wrong, as the server says it, and what a person can do. */
export function ProblemNote({ problem, retry }: { problem: unknown; retry?: () => void }) {
  if (problem instanceof SignedOut) return null; // the bar above the screen says it
  const note = (inside: ComponentChildren) => (
    <div class="notice danger" role="alert">
      {inside}
      {retry && (
        <p>
          <button type="button" class="button" onClick={retry}>
            {t("tryAgain")}
          </button>
        </p>
      )}
    </div>
  );
  const exactly = (what: ComponentChildren, text: string) => note([<p>{what}</p>, <p class="small muted">{text}</p>]);
  if (problem instanceof Unreachable) return exactly([<strong>{t("unreachable")}.</strong>, " ", t("unreachableWhat")], problem.message);
  if (problem instanceof Told) return note(<p>{problem.message}</p>);
  if (!(problem instanceof Problem)) return exactly(t("faultWhat"), String(problem));
  const { title, detail, errors, type } = problem.body;
  const mend = mends[problem.status] ?? (problem.status >= 500 ? "mend5xx" : undefined);
  return note(
    <>
      <p>
        <strong>{title}</strong>
      </p>
      {detail && <p>{detail}</p>}
      {errors && errors.length > 0 && (
        <ul>
          {errors.map((e, i) => (
            <li key={i}>
              {e.path && <code>{e.path}</code>} {e.message}
            </li>
          ))}
        </ul>
      )}
      {mend && <p>{t(mend)}</p>}
      {type.startsWith("/problems/") && (
        <p class="small">
          <a href={place.root + type} target="_blank" rel="noopener">
            {t("moreAbout")}
          </a>
        </p>
      )}
    </>,
  );
}
