import type { Change, Page, Revision } from "../api/types.ts";
import type { MemberConflict } from "../merge/members.tsx";
import { merge3 } from "../merge/merge3.ts";

type Front = Record<string, unknown>;

export interface Divided {
  clean: Partial<Change>; // members that merge by themselves, where that is not what the change says
  front: Front | undefined; // the keys of the front matter that do, where the change has it as an object
  members: MemberConflict[]; // those that somebody has to decide on; keys begin with "frontmatter."
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Divides the members of a change and of the page as it is now, but for the text. */
export function divide(before: Revision | undefined, change: Change, present: Revision, live: Pick<Page, "status" | "parentId">): Divided {
  const out: Divided = { clean: {}, front: undefined, members: [] };
  const one = (member: string, base: unknown, mine: unknown, theirs: unknown, take: (value: unknown) => void) => {
    if (same(mine, theirs) || same(theirs, base)) return take(mine);
    if (same(mine, base)) return take(theirs);
    out.members.push({ member, base, mine, theirs });
  };
  for (const member of ["title", "slug"] as const) {
    if (change[member] !== undefined) one(member, before?.[member] ?? "", change[member], present[member], (v) => (out.clean[member] = v as string));
  }
  if (change.status !== undefined) one("status", change.base?.status, change.status, live.status, (v) => (out.clean.status = v as Page["status"]));
  if (change.parentId !== undefined) one("parentId", change.base?.parentId ?? null, change.parentId, live.parentId ?? null, (v) => (out.clean.parentId = v as string | null));
  if (change.frontmatterRaw !== undefined) {
    const [base, mine, theirs] = [before?.frontmatterRaw ?? "", change.frontmatterRaw, present.frontmatterRaw ?? ""];
    const parts = merge3(base, mine, theirs);
    if (parts.some((p) => p.by === "clash")) out.members.push({ member: "frontmatterRaw", base, mine, theirs });
    else out.clean.frontmatterRaw = parts.map((p) => (p.by === "clash" ? "" : p.text)).join("");
  } else if (change.frontmatter !== undefined) {
    const [base, mine, theirs] = [before?.frontmatter ?? {}, change.frontmatter, present.frontmatter ?? {}];
    const front: Front = {};
    for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs), ...Object.keys(base)])) {
      one(`frontmatter.${key}`, base[key], mine[key], theirs[key], (v) => v !== undefined && (front[key] = v));
    }
    out.front = front;
  }
  return out;
}

/** The members of the change once all is decided. */
export function joined({ clean, front }: Divided, decided: Record<string, unknown>): Partial<Change> {
  const out: Partial<Change> = { ...clean };
  const whole = front && { ...front };
  for (const [member, value] of Object.entries(decided)) {
    if (!member.startsWith("frontmatter.")) Object.assign(out, { [member]: value });
    else if (whole && value !== undefined && value !== null) whole[member.slice("frontmatter.".length)] = value;
  }
  return whole ? { ...out, frontmatter: whole } : out;
}
