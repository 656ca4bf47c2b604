import { Problem, SignedOut } from "../api/client.ts";
import type { Change, Page, Proposal } from "../api/types.ts";
import { Keeper, longest, type Conflict } from "./keeper.ts";
import { load } from "./load.ts";
import type { Base, Ports, Post, Record } from "./ports.ts";
import { baseFrom, baseOf, changePath, isProblem, madeBy, orNothing, readBoth, readPage, revisionOf, type Remote } from "./remote.ts";
import { blank, created, drafted, fingerprint, named, same, untitled, updated, type Work } from "./work.ts";

export type { Conflict, State } from "./keeper.ts";

/** What follows from a conflict that has been resolved. */
interface Next {
  base: Base;
  remote: Remote | null;
  record?: Record; // of which theirs is
}

/** What a draft begins with, and goes on with when others have written it. */
export interface Start {
  page: string; // as in a Record
  live: Page | null;
  base: Base;
  remote: Remote | null;
  work: Work;
  unsure: string[];
  post: Post | undefined;
  taken: Record[]; // records whose text is in work
  others: Record[]; // records with texts that are not
  clash?: Conflict & { next: Next };
}

const pauses = [1000, 2000, 4000, 8000, 15_000]; // between tries

/** Brings what one person writes of one page to the server, as a draft. */
export class Saver extends Keeper {
  private others: Record[] = [];
  private next: Next | undefined;
  private failure: Problem | undefined; // of saving, which ends as saving works again
  private tries = 0;
  private sentAt = -longest;
  private hurried = 0; // how many wait until everything is sent
  private again = false; // there is more to send than the run knows of
  private running: Promise<void> | undefined;
  private refreshing: Promise<void> | undefined;
  private line: Promise<unknown> = Promise.resolve();
  private stopWaiting = (): void => {};

  constructor(ports: Ports, start: Start) {
    super(ports, start.page, start.base, start.work);
    this.start(start);
    void this.store().then(() => this.run());
  }

  private start(s: Start): void {
    this.page = s.page;
    this.live.value = s.live;
    this.base = s.base;
    this.remote = s.remote;
    this.unsure = s.unsure;
    this.post = s.post;
    this.taken.push(...s.taken);
    this.others = s.others;
    this.found.value = s.remote?.proposal;
    this.savedAt.value = s.remote && new Date(s.remote.at);
    if (!same(s.work, this.work.value)) this.show(s.work);
    if (s.clash) this.clash(s.clash, s.clash.next);
    else this.nextOther();
    this.settle();
  }

  /** Tries at once what failed before: the network, or the session, may be back. */
  wake(): void {
    this.take();
    if (!this.trouble && !this.refused) return;
    this.refused = undefined; // the role may be another one by now
    this.tries = 0;
    this.stopWaiting();
    void this.run();
  }

  /** Takes up what other tabs and devices of the person have written, unless something is typed here. */
  refresh(): Promise<void> {
    this.refreshing ??= this.lock(() => this.loadAgain()).finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async loadAgain(): Promise<void> {
    const before = this.work.value;
    const quiet = () => !this.typing && !this.closed && !this.conflict.value && !this.pending() && this.work.value === before;
    if (!quiet()) return;
    const at = this.isNew() ? { draft: this.remote?.proposal ?? this.page.slice(4), parent: before.parentId } : { page: this.page };
    const next = await load(this.ports, at).catch(() => undefined); // the next time will do
    if (next && quiet()) this.start(next);
    await this.store();
    void this.run();
  }

  /** Comes back once the server has everything, or cannot take it now. */
  async flush(): Promise<void> {
    this.take();
    this.hurried++;
    do await this.run();
    while (!this.closed && this.pending() && !this.halted());
    this.hurried--;
    await this.store();
  }

  /** Ends the work on this page, after a last try to send it. */
  async close(): Promise<void> {
    if (this.closed) return;
    await this.flush();
    this.take();
    this.stopWaiting();
    this.closed = true;
    await this.store();
  }

  /** Goes on with a text that was made of both. */
  resolve(work: Work): void {
    const { next } = this;
    if (!next || !this.conflict.value) return;
    this.next = undefined;
    this.conflict.value = null;
    this.base = next.base;
    this.remote = next.remote;
    if (next.record) this.taken.push(next.record);
    this.show(work);
    this.nextOther();
    this.settle();
    void this.store();
    void this.run();
  }

  private halted(): boolean {
    return this.conflict.value !== null || this.trouble !== undefined || this.refused === this.work.value;
  }

  /** Runs one thing at a time: requests about a draft never overlap. */
  protected lock<T>(f: () => Promise<T>): Promise<T> {
    const turn = this.line.then(f, f);
    this.line = turn.catch(() => {});
    return turn;
  }

  protected run(): Promise<void> {
    this.again = this.running !== undefined;
    this.running ??= this.lock(() => this.drain()).finally(() => {
      this.running = undefined;
      if (this.again) void this.run();
    });
    return this.running;
  }

  private async drain(): Promise<void> {
    while (!this.closed && this.conflict.value === null && this.refused !== this.work.value && (this.trouble || this.pending())) {
      const wait = this.sentAt + longest - this.ports.clock.now();
      if (wait > 0 && !this.trouble && this.hurried === 0) {
        this.stopWaiting();
        this.stopWaiting = this.ports.clock.after(wait, () => void this.run());
        return;
      }
      const target = this.work.value;
      this.sentAt = this.ports.clock.now();
      try {
        await this.send(target);
        this.worked();
      } catch (e) {
        this.failed(e, target);
        break;
      }
    }
    this.settle();
    void this.store();
  }

  private worked(): void {
    this.trouble = undefined;
    this.tries = 0;
    this.mended();
    this.savedAt.value = new Date(this.ports.clock.now());
    this.settle();
  }

  protected mended(): void {
    this.refused = undefined;
    if (this.failure && this.problem.peek() === this.failure) this.problem.value = null;
  }

  private failed(e: unknown, target: Work): void {
    if (e instanceof Problem) this.problem.value = this.failure = e;
    if (e instanceof Problem && e.status < 500 && ![408, 409, 429].includes(e.status)) {
      this.trouble = undefined;
      this.refused = target;
      return;
    }
    this.trouble = e instanceof SignedOut ? "signedOut" : "network";
    if (this.closed) return;
    const pause = pauses[Math.min(this.tries++, pauses.length - 1)]!;
    this.stopWaiting();
    this.stopWaiting = this.ports.clock.after(pause, () => void this.run());
  }

  /** Brings one text to the server. */
  private async send(target: Work): Promise<void> {
    if (this.remote && this.unsure.length > 0 && !(await this.agree())) return;
    if (!this.remote) {
      if (this.post || !same(target, this.base.work)) await this.create(target);
    } else if (same(target, this.base.work)) await this.remove(target);
    else if (!this.onServer()) await this.replace(this.remote, target);
    if (this.trouble) await this.ports.server.call("/proposals?limit=1"); // there may have been nothing to send
  }

  protected async create(target: Work): Promise<void> {
    if (!this.post) {
      if (this.isNew()) this.post = this.firstPost(created(target, this.ports.unique()), target);
      else {
        this.base.revision ??= await revisionOf(this.ports.server, this.page, this.base);
        if (this.base.revision === undefined) return this.gone();
        this.post = this.firstPost({ pageId: this.page, baseRevision: this.base.revision, ...updated(this.base.work, target) }, target);
      }
    }
    const { post } = this;
    await this.sending(post.work);
    let made: Proposal;
    try {
      made = (await this.ports.server.call<Proposal>("/proposals", { method: "POST", body: post.body, idempotencyKey: post.key })).data;
    } catch (e) {
      if (isProblem(e, 400, 403, 404, 413, 422)) this.post = undefined;
      if (!isProblem(e, 409)) throw e;
      // Either the first request with this key is not answered yet, or it cannot succeed.
      if (!this.isNew() || this.tries > 2) this.post = undefined;
      if (this.isNew() || !(await this.adopt())) throw e;
      return;
    }
    this.remote = { proposal: made.id, change: made.changes[0]!.id, etag: "", revision: this.base.revision, work: post.work, at: made.createdAt };
    this.post = undefined;
    await this.store();
    await this.agree();
  }

  private firstPost(fields: object, work: Work): Post {
    const change = { op: this.isNew() ? "create" : "update", ...fields };
    const body = { title: work.title || untitled, status: "draft", changes: [change] };
    return { key: this.ports.unique() + this.ports.unique(), body, work };
  }

  /** Takes up the draft that the person has of this page already. */
  private async adopt(): Promise<boolean> {
    const { draft } = await readBoth(this.ports.server, this.ports.person, this.page);
    if (!draft) return false;
    this.meet(draft.base, draft.remote);
    return true;
  }

  private async replace(remote: Remote, target: Work): Promise<void> {
    const { base } = this;
    const body: object = this.isNew() ? { op: "create", ...created(target, this.ports.unique()) } : { op: "update", pageId: this.page, ...updated(base.work, target) };
    if (base.revision !== remote.revision) Object.assign(body, { baseRevision: base.revision });
    await this.sending(target);
    try {
      const { data, etag } = await this.ports.server.call<Change>(changePath(remote), { method: "PUT", body, ifMatch: remote.etag });
      this.remote = { ...remote, etag, work: target, revision: data.baseRevision };
      this.unsure = [];
    } catch (e) {
      if (isProblem(e, 412)) await this.agree();
      else if (isProblem(e, 404) || (isProblem(e, 409) && (await this.ended(remote)))) await this.gone();
      else throw e;
    }
  }

  private async ended(remote: Remote): Promise<boolean> {
    const p = await orNothing(this.ports.server.call<Proposal>(`/proposals/${remote.proposal}`));
    return p?.data.status !== "draft" && p?.data.status !== "open";
  }

  /** Removes a draft in which nothing differs any more. */
  protected async remove(target: Work): Promise<void> {
    const { remote } = this;
    if (!remote) return;
    await this.sending(target);
    try {
      await this.ports.server.call(changePath(remote), { method: "DELETE", ifMatch: remote.etag });
    } catch (e) {
      if (isProblem(e, 412)) return void (await this.agree());
      if (isProblem(e, 409)) return this.gone();
      if (!isProblem(e, 404)) throw e;
    }
    this.remote = null;
    this.unsure = [];
  }

  /** Reads what the server has, after an answer that did not come. Reports whether the draft goes on. */
  protected async agree(): Promise<boolean> {
    const { remote, ports } = this;
    if (!remote) return true;
    const found = await orNothing(ports.server.call<Change>(changePath(remote)));
    if (!found) {
      await this.gone();
      return this.conflict.value === null;
    }
    if (found.etag === remote.etag) return true;
    const moved = found.data.baseRevision !== this.base.revision && !this.isNew();
    const base = moved ? await baseOf(ports.server, (await readPage(ports.server, this.page)).data, found.data) : this.base;
    return this.meet(base, { ...remote, etag: found.etag, revision: base.revision, work: drafted(base.work, found.data) });
  }

  /** Takes what the server has for the draft's if this tab has written it, else there is a conflict. */
  private meet(base: Base, remote: Remote): boolean {
    const known = this.remote?.work ?? this.base.work;
    const own = this.unsure.includes(fingerprint(remote.work)) || same(remote.work, this.work.value) || (this.remote !== null && same(remote.work, known));
    if (!own) {
      this.clash({ base: known, mine: this.work.value, theirs: remote.work }, { base, remote });
      return false;
    }
    this.unsure = []; // whatever is still on its way names an older tag
    this.base = base;
    this.remote = remote;
    return true;
  }

  /** The draft is not on the server any more: merged or discarded, here or elsewhere. */
  protected async gone(): Promise<void> {
    const known = this.remote?.work ?? this.base.work;
    const live = await this.livePage();
    if (!live) {
      this.remote = null;
      this.unsure = [];
      this.base = { revision: undefined, work: blank(this.work.value.parentId) };
      return;
    }
    const base = baseFrom(live);
    const { work } = base;
    this.take(); // or showing names would take from the editor what was typed since
    if (this.isNew()) this.show(named(this.work.value, work));
    const own = same(work, this.work.value) || this.unsure.includes(fingerprint(work));
    this.page = live.id;
    if (own) {
      this.base = base;
      this.remote = null;
      this.unsure = [];
    } else this.clash({ base: known, mine: this.work.value, theirs: work }, { base, remote: null });
    await this.moved(live);
  }

  /** Makes a page known once the journal names it. */
  protected async moved(live: Page | null): Promise<void> {
    await this.store();
    this.live.value = live;
  }

  /** The page as it stands. A new one exists once its draft was merged. */
  private async livePage(): Promise<Page | undefined> {
    const { server } = this.ports;
    if (!this.isNew()) return (await readPage(server, this.page)).data;
    const p = this.remote && (await orNothing(server.call<Proposal>(`/proposals/${this.remote.proposal}`)));
    return p ? madeBy(server, p.data) : undefined;
  }

  // Conflicts.

  protected clash(c: Conflict, next: Next): void {
    this.next = next;
    this.unsure = [];
    this.conflict.value = { base: c.base, mine: c.mine, theirs: c.theirs, revision: this.base.revision };
  }

  /** Shows the text that a tab left behind which is neither on the server nor in work. */
  private nextOther(): void {
    const record = this.others.shift();
    if (record) this.clash({ base: this.base.work, mine: this.work.value, theirs: record.work }, { base: this.base, remote: this.remote, record });
  }
}
