import { language } from "../words.ts";

const units: [Intl.RelativeTimeFormatUnit, number][] = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3600], ["minute", 60]];

/** How long ago a time was, in words of a language. */
export function ago(then: number, now: number, language: string): string {
  const seconds = (then - now) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
}

/** A point in time as people say it, with the exact one as its title. */
export function When({ at, now }: { at: string; now: number }) {
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" }).format(new Date(at));
  return (
    <time dateTime={at} title={exact}>
      {ago(Date.parse(at), now, language)}
    </time>
  );
}
