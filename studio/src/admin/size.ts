import { language } from "../words.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** A number of bytes as people read it. */
export function bytes(n: number, inLanguage: string = language): string {
  let at = 0;
  while (n >= 1000 && at < units.length - 1) {
    n /= 1000;
    at++;
  }
  return new Intl.NumberFormat(inLanguage, { style: "unit", unit: units[at]!, unitDisplay: at === 0 ? "long" : "short", maximumFractionDigits: n < 10 && at > 0 ? 1 : 0 }).format(n);
}
