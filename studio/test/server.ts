import { Problem } from "../src/api/client.ts";
import type { Change, Fields, Page, Proposal } from "../src/api/types.ts";

interface Kept {
  proposal: Proposal;
  change: Change;
  version: number; // of the proposal
  changes: number; // the version of its change
}

interface Asked {
  method?: string | undefined;
  body?: any;
  ifMatch?: string | undefined;
  idempotencyKey?: string | undefined;
}

const fields = ["title", "slug", "content", "frontmatterRaw", "status", "parentId", "publishAt", "unpublishAt", "dialect"] as const;

function refuse(status: number, kind: string, more: object = {}): never {
  throw new Problem({ type: `/problems/${kind}`, title: kind, status, ...more });
}

/** Behaves as the API does for pages and for drafts of Studio, in memory. */
export class FakeServer {
  readonly pages = new Map<string, { page: Page; version: number; revisions: Page[] }>();
  readonly drafts = new Map<string, Kept>();
  readonly had = new Set<string>(); // every text that a draft or a page ever had
  readonly approvals = { needed: false };
  private readonly keys = new Map<string, { body: string; answer: unknown }>();
  private made = 0;

  addPage(content: string, status: Page["status"] = "published"): string {
    const id = `page_${++this.made}`;
    this.write({ id, title: id, slug: id, status, content, parentId: null, createdAt: "", updatedAt: "" });
    return id;
  }

  /** Somebody changes a page past all drafts. */
  edit(id: string, set: Partial<Page>): void {
    this.write({ ...this.pages.get(id)!.page, ...set });
  }

  private write(page: Page): number {
    const old = this.pages.get(page.id) ?? { page, version: 0, revisions: [] };
    const text = (p: Page) => JSON.stringify([p.title, p.slug, p.content]);
    const revisions = old.version > 0 && text(old.page) === text(page) ? old.revisions : [...old.revisions, page];
    this.pages.set(page.id, { page, version: old.version + 1, revisions });
    this.had.add(page.content);
    return revisions.length;
  }

  handle(person: string, path: string, asked: Asked): { data: any; etag: string } {
    const { idempotencyKey: key } = asked;
    if (key === undefined) return this.answer(person, path, asked);
    const body = JSON.stringify([path, asked.body]);
    const before = this.keys.get(key);
    if (before && before.body !== body) refuse(422, "idempotency-key-reused");
    const answer = before?.answer ?? this.answer(person, path, asked);
    this.keys.set(key, { body, answer });
    return answer as { data: any; etag: string };
  }

  private answer(person: string, path: string, { method = "GET", body, ifMatch }: Asked): { data: any; etag: string } {
    const [where, query] = path.split("?");
    const [, noun, id = "", part, last] = where!.split("/");
    const match = (etag: string) => ifMatch === undefined || ifMatch === etag || refuse(412, "precondition-failed");
    if (noun === "pages") {
      const kept = this.pages.get(id === "by-slug" ? [...this.pages.values()].find((p) => p.page.slug === part)?.page.id ?? "" : id);
      if (!kept) refuse(404, "not-found");
      const tag = () => `"${id}.${this.pages.get(id)!.version}"`;
      const revision = (r: Page, i: number) => ({ ...r, number: i + 1 });
      if (part === "revisions" && last === undefined) return { data: { data: kept.revisions.map(revision).map(({ content, ...r }) => r) }, etag: "" };
      if (part === "revisions") return { data: revision(kept.revisions[Number(last) - 1] ?? refuse(404, "not-found"), Number(last) - 1), etag: "" };
      if (method === "PATCH" && match(tag())) this.edit(id, body);
      const { page, version } = this.pages.get(kept.page.id)!;
      return { data: page, etag: `"${page.id}.${version}"` };
    }
    if (method === "POST" && id === "") return this.begin(person, body);
    if (id === "") {
      const page = new URLSearchParams(query).get("pageId");
      const mine = [...this.drafts.values()].filter((k) => k.proposal.author.id === person && k.proposal.status === "draft" && k.change.pageId === page);
      return { data: { data: mine.map((k) => this.shown(k)) }, etag: "" };
    }
    const kept = this.drafts.get(id);
    if (!kept || kept.proposal.author.id !== person) refuse(404, "not-found");
    if (part === "merge") return match(`"${id}.${kept.version}"`), this.merge(kept);
    if (part === undefined && method === "PATCH" && match(`"${id}.${kept.version}"`)) {
      kept.proposal = { ...kept.proposal, ...body };
      kept.version++;
    }
    if (part === undefined) return { data: this.shown(kept), etag: `"${id}.${kept.version}"` };
    const tag = () => `"${kept.change.id}.${kept.changes}"`;
    if (method === "GET") return { data: kept.change, etag: tag() };
    if (!["draft", "open"].includes(kept.proposal.status)) refuse(409, "conflict");
    match(tag());
    if (method === "DELETE") this.drafts.delete(id);
    else this.replace(kept, body);
    return { data: kept.change, etag: tag() };
  }

  private shown({ proposal, change }: Kept): Proposal {
    const { content, frontmatterRaw, ...rest } = change;
    return { ...proposal, changes: [rest] };
  }

  private begin(person: string, body: any): { data: Proposal; etag: string } {
    const [change] = body.changes;
    for (const k of this.drafts.values()) {
      if (change.pageId && k.change.pageId === change.pageId && k.proposal.author.id === person && k.proposal.status === "draft") refuse(409, "conflict");
    }
    const id = `prop_${++this.made}`;
    const at = "2026-01-01T00:00:00Z";
    const author = { id: person, name: person };
    const proposal: Proposal = { id, title: body.title, description: "", status: "draft", origin: "studio", author, reviewers: [], changes: [], version: 1, createdAt: at, updatedAt: at };
    const kept: Kept = { proposal, change: { id: `chg_${id}`, op: change.op }, version: 0, changes: 0 };
    this.replace(kept, { baseRevision: this.pages.get(change.pageId)?.revisions.length, ...change });
    this.drafts.set(id, kept);
    return { data: this.shown(kept), etag: `"${id}.1"` };
  }

  private replace(kept: Kept, body: any): void {
    if (body.title !== undefined && (body.title === "" || body.title.length > 120)) refuse(400, "invalid-request");
    const { id, baseRevision, base } = kept.change;
    const change: Change = { id, op: body.op, ...body };
    const page = this.pages.get(body.pageId);
    if (page && body.baseRevision === undefined) Object.assign(change, { baseRevision, base });
    else if (page) change.base = { version: 0, revision: body.baseRevision, status: page.page.status, parentId: page.page.parentId ?? null };
    kept.change = change;
    kept.version++;
    kept.changes++;
    if (body.content !== undefined) this.had.add(body.content);
  }

  private merge(kept: Kept): { data: any; etag: string } {
    if (!["draft", "open"].includes(kept.proposal.status)) refuse(409, "conflict");
    if (this.approvals.needed) refuse(409, "review-required");
    const { change } = kept;
    const page = change.pageId === undefined ? undefined : this.pages.get(change.pageId);
    const base = page?.revisions[change.baseRevision! - 1];
    const set: Fields = {};
    for (const m of fields) {
      const proposed = change[m];
      if (proposed === undefined || m === "frontmatterRaw") continue;
      const merged = m === "title" || m === "slug" || m === "content";
      if (base && merged && page!.page[m] !== base[m] && page!.page[m] !== proposed && proposed !== base[m]) {
        const conflict = { changeId: change.id, pageId: change.pageId, revision: page!.revisions.length, kind: "conflict", member: m, message: "" };
        refuse(409, "merge-conflict", { conflicts: [conflict] });
      }
      if (base && change.base && m === "status" && proposed === change.base.status) continue;
      if (!base || proposed !== (base as any)[m] || m === "status") Object.assign(set, { [m]: proposed });
    }
    const id = page?.page.id ?? `page_${++this.made}`;
    const old: Page = page?.page ?? { id, title: "", slug: "", status: "draft", content: "", createdAt: "", updatedAt: "" };
    const revision = this.write({ ...old, ...(set as Partial<Page>) });
    kept.proposal = { ...kept.proposal, status: "merged" };
    kept.version++;
    return { data: { proposal: this.shown(kept), pages: [{ id, revision }] }, etag: "" };
  }
}
