export type Front = Record<string, unknown>;

/** A tag as the server reads it, and as it is written. What is none for the server is "". */
export interface Tag {
  name: string;
  as: unknown;
}

/** The tags of front matter, and the key that has them. */
export function tagsOf(front: Front): { key: string; tags: Tag[] } {
  const key = Object.keys(front).find((k) => k.toLowerCase() === "tags") ?? "tags";
  const value = front[key] ?? [];
  const nameOf = (v: unknown): string => {
    if (typeof v === "string" || typeof v === "number") return String(v).trim();
    const label = (v as { label?: unknown } | null)?.label;
    return typeof label === "string" ? label : "";
  };
  const all: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",").map((s) => s.trim()).filter(Boolean) : [value];
  return { key, tags: all.map((as) => ({ name: nameOf(as), as })) };
}
