export type Front = Record<string, unknown>;

/** The tags of front matter, as the server reads them, and the key that has them. */
export function tagsOf(front: Front): { key: string; tags: string[] } {
  const key = Object.keys(front).find((k) => k.toLowerCase() === "tags") ?? "tags";
  const value = front[key];
  const one = (v: unknown): string[] => {
    if (typeof v === "string" || typeof v === "number") return [String(v).trim()];
    const label = (v as { label?: unknown } | null)?.label;
    return typeof label === "string" ? [label] : [];
  };
  const tags = Array.isArray(value) ? value.flatMap(one) : typeof value === "string" ? value.split(",").flatMap(one) : one(value);
  return { key, tags: tags.filter(Boolean) };
}
