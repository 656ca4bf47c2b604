const letters: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss", æ: "ae", ø: "o", œ: "oe", ł: "l", đ: "d", þ: "th", ð: "d", ı: "i" };

/** What addresses call a page of this title: empty where it has no Latin letter or digit. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFC")
    .replace(/[äöüßæøœłđþðı]/g, (c) => letters[c]!)
    .normalize("NFD")
    .replace(/[\u0300-\u036f'’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 80)
    .replace(/^-+|-+$/g, "");
}

/** The same, with a number where another page has it. */
export function freeSlug(title: string, taken: (slug: string) => boolean): string {
  const slug = slugOf(title);
  if (!slug || !taken(slug)) return slug;
  for (let n = 2; ; n++) if (!taken(`${slug}-${n}`)) return `${slug}-${n}`;
}
