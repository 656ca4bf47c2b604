import { language } from "../words.ts";

const units: [Intl.RelativeTimeFormatUnit, number][] = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3600], ["minute", 60]];

// Making one takes longer than using it a hundred times.
const relative = new Map<string, Intl.RelativeTimeFormat>();
const exact = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" });

function relativeIn(language: string): Intl.RelativeTimeFormat {
  let made = relative.get(language);
  if (!made) relative.set(language, (made = new Intl.RelativeTimeFormat(language, { numeric: "auto" })));
  return made;
}

/** How long ago a time was, in words of a language. */
export function ago(then: number, now: number, language: string): string {
  const seconds = (then - now) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return relativeIn(language).format(Math.trunc(seconds / size), unit);
}

/** A point in time as people say it, with the exact one as its title. */
export function When({ at, now }: { at: string; now: number }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {ago(Date.parse(at), now, language)}
    </time>
  );
}
