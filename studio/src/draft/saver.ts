import { batch, signal } from "@preact/signals";
import { Problem, SignedOut } from "../api/client.ts";
import type { Change, Page, Proposal } from "../api/types.ts";
import type { Base, Ports, Post, Record } from "./ports.ts";
import { baseFrom, baseOf, changePath, findDraft, isProblem, orNothing, readPage, revisionOf, type Remote } from "./remote.ts";
import { blank, created, drafted, fingerprint, same, updated, type Work } from "./work.ts";

/** Where what was typed is. "tab" says that not even this device keeps it. */
export type State = "saved" | "saving" | "device" | "tab" | "signedOut" | "conflict";

/** Two texts that were both made of a third. */
export interface Conflict {
  base: Work;
  mine: Work;
  theirs: Work;
}

/** What follows from a conflict that has been resolved. */
interface Next {
  base: Base;
  remote: Remote | null;
  record?: Record; // of which theirs is
}

/** What a draft begins with. */
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

const idle = 300; // a pause in typing
const longest = 1000; // what is typed without a pause is kept and sent this often
const pauses = [1000, 2000, 4000, 8000, 15_000]; // between tries

/** Keeps what one person writes of one page: on this device, then as a draft on the server. */
export class Saver {
  readonly state = signal<State>("saved");
  readonly savedAt = signal<Date | null>(null);
  readonly live = signal<Page | null>(null);
  /** What is drafted, as it was last read. */
  readonly work;
  /** What the editor has to show: it changes when a text came from elsewhere. */
  readonly shown;
  readonly dirty = signal(false);
  readonly problem = signal<Problem | null>(null);
  readonly conflict = signal<Conflict | null>(null);

  protected base: Base;
  protected remote: Remote | null;
  protected unsure: string[]; // fingerprints of what was sent without an answer
  protected post: Post | undefined;
  protected page: string;
  protected closed = false;

  private readonly key: string;
  private taken: Record[];
  private others: Record[];
  private next: Next | undefined;
  private read: (() => Partial<Work>) | undefined;
  private first = 0; // when the oldest key was typed that has not been read
  private last = 0;
  private stored: Work | undefined; // in the journal
  private kept = true; // the journal works
  private storing: Promise<void> | undefined;
  private trouble: "network" | "signedOut" | undefined;
  private refused: Work | undefined; // by the server, for good
  private tries = 0;
  private sentAt = -longest;
  private hurry = false; // everything is sent without waiting
  private again = false; // there is more to send than the run knows of
  private running: Promise<void> | undefined;
  private line: Promise<unknown> = Promise.resolve();
  private readonly stop = { read: () => {}, send: () => {} };

  protected readonly ports: Ports;

  constructor(ports: Ports, start: Start) {
    this.ports = ports;
    this.page = start.page;
    this.key = ports.unique();
    this.base = start.base;
    this.remote = start.remote;
    this.unsure = start.unsure;
    this.post = start.post;
    this.taken = start.taken;
    this.others = start.others;
    this.live.value = start.live;
    this.work = signal(start.work);
    this.shown = signal(start.work);
    this.savedAt.value = start.remote && new Date(start.remote.at);
    if (start.clash) this.clash(start.clash, start.clash.next);
    else this.nextOther();
    this.settle();
    void this.store().then(() => this.run());
  }

  /** Whether closing the tab now would lose something. */
  get atRisk(): boolean {
    return this.first > 0 || (!this.onServer() && this.stored !== this.work.value);
  }

  /** The proposal that the draft is, once there is one. */
  get proposal(): string | undefined {
    return this.remote?.proposal;
  }

  /** Notes that something was typed. read gives all of it, and is called at the next pause. */
  changed(read: () => Partial<Work>): void {
    if (this.closed) return;
    this.read = read;
    this.last = this.ports.clock.now();
    if (this.first > 0) return;
    this.first = this.last;
    this.readLater(idle);
    this.settle();
  }

  private readLater(ms: number): void {
    this.stop.read = this.ports.clock.after(ms, () => {
      const now = this.ports.clock.now();
      const wait = Math.min(this.last + idle, this.first + longest) - now;
      if (wait > 0) this.readLater(wait);
      else this.take();
    });
  }

  /** Reads what was typed, keeps it on the device and sends it. */
  take(): void {
    this.stop.read();
    if (this.first === 0 || !this.read) return;
    this.first = 0;
    const now = { ...this.work.value, ...this.read() };
    if (!same(now, this.work.value)) this.work.value = now;
    this.settle();
    void this.store();
    void this.run();
  }

  /** Tries at once what failed before: the network, or the session, may be back. */
  wake(): void {
    this.take();
    if (!this.trouble) return;
    this.tries = 0;
    this.stop.send();
    void this.run();
  }

  /** Comes back once the server has everything, or cannot take it now. */
  async flush(): Promise<void> {
    this.take();
    this.hurry = true;
    do await this.run();
    while (!this.closed && this.pending() && !this.halted());
    this.hurry = false;
    await this.store();
  }

  /** Ends the work on this page, after a last try to send it. */
  async close(): Promise<void> {
    if (this.closed) return;
    await this.flush();
    this.take();
    this.stop.send();
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

  protected show(work: Work): void {
    batch(() => (this.work.value = this.shown.value = work));
  }

  /** Whether there is something to do for the server. */
  protected pending(): boolean {
    const { remote, base } = this;
    if (!remote) return this.post !== undefined || !same(this.work.value, base.work);
    return !this.onServer() || same(this.work.value, base.work);
  }

  protected onServer(): boolean {
    const { remote, base, work } = this;
    return remote ? remote.revision === base.revision && same(remote.work, work.value) : same(base.work, work.value);
  }

  private halted(): boolean {
    return this.conflict.value !== null || this.trouble !== undefined || this.refused === this.work.value;
  }

  protected settle(): void {
    const typed = this.first > 0;
    const stuck = this.trouble === "network" || this.refused === this.work.value;
    let state: State = "saving";
    if (this.trouble === "signedOut") state = "signedOut";
    else if (this.conflict.value) state = "conflict";
    else if (!typed && this.onServer()) state = "saved";
    else if (stuck) state = this.kept ? "device" : "tab";
    batch(() => {
      this.state.value = state;
      this.dirty.value = typed || !same(this.work.value, this.base.work);
    });
  }

  // The journal.

  /** Brings the journal up to date: it has the text until the server has it. */
  protected store(): Promise<void> {
    this.storing ??= this.storeNow().finally(() => (this.storing = undefined));
    return this.storing;
  }

  private async storeNow(): Promise<void> {
    const { journal } = this.ports;
    try {
      for (;;) {
        const work = this.work.value;
        const done = this.conflict.value === null && this.post === undefined && this.onServer();
        if (done && this.stored) await journal.remove(this.key);
        else if (!done && this.stored !== work) await journal.put(this.record());
        this.stored = done ? undefined : work;
        this.kept = true;
        while (this.taken.length > 0) await journal.remove(this.taken.shift()!.key);
        if (this.work.value === work && done === (this.conflict.value === null && this.post === undefined && this.onServer())) break;
      }
    } catch {
      this.kept = false;
      this.stored = undefined;
    }
    this.settle();
  }

  private record(): Record {
    const { key, page, base, remote, unsure, post } = this;
    const short = base.revision === undefined ? base : { ...base, work: { ...base.work, content: "" } };
    const r: Record = { key, page, at: this.ports.clock.now(), work: this.work.value, base: short, unsure: [...unsure] };
    if (remote) Object.assign(r, { proposal: remote.proposal, etag: remote.etag });
    if (post) r.post = post;
    return r;
  }

  /** Has the journal know that a text is about to be sent, in case no answer comes. */
  protected async sending(work: Work): Promise<void> {
    const mark = fingerprint(work);
    if (!this.unsure.includes(mark)) this.unsure.push(mark);
    await this.storing;
    this.stored = undefined;
    await this.store();
  }

  // The server.

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
    while (!this.closed && this.conflict.value === null && this.refused !== this.work.value && this.pending()) {
      const wait = this.sentAt + longest - this.ports.clock.now();
      if (wait > 0 && !this.trouble && !this.hurry) {
        this.stop.send();
        this.stop.send = this.ports.clock.after(wait, () => void this.run());
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
    this.refused = undefined;
    this.problem.value = null;
    this.savedAt.value = new Date(this.ports.clock.now());
    this.settle();
  }

  private failed(e: unknown, target: Work): void {
    if (e instanceof Problem) this.problem.value = e;
    if (e instanceof Problem && e.status < 500 && ![408, 409, 429].includes(e.status)) {
      this.trouble = undefined;
      this.refused = target;
      return;
    }
    this.trouble = e instanceof SignedOut ? "signedOut" : "network";
    if (this.closed) return;
    const pause = pauses[Math.min(this.tries++, pauses.length - 1)]!;
    this.stop.send();
    this.stop.send = this.ports.clock.after(pause, () => void this.run());
  }

  /** Brings one text to the server. */
  private async send(target: Work): Promise<void> {
    if (this.remote && this.unsure.length > 0 && !(await this.agree())) return;
    if (!this.remote) {
      if (this.post || !same(target, this.base.work)) await this.create(target);
    } else if (same(target, this.base.work)) await this.remove(target);
    else if (!this.onServer()) await this.replace(this.remote, target);
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
    await this.agree();
  }

  private firstPost(fields: object, work: Work): Post {
    const change = { op: this.isNew() ? "create" : "update", ...fields };
    const body = { title: work.title || "Untitled", status: "draft", changes: [change] };
    return { key: this.ports.unique() + this.ports.unique(), body, work };
  }

  protected isNew(): boolean {
    return this.page.startsWith("new:");
  }

  /** Takes up the draft that the person has of this page already. */
  private async adopt(): Promise<boolean> {
    const live = await readPage(this.ports.server, this.page);
    const found = await findDraft(this.ports.server, this.ports.person, live.data);
    if (!found) return false;
    this.meet(found.base, found.remote);
    return true;
  }

  private async replace(remote: Remote, target: Work): Promise<void> {
    const { base } = this;
    const body: { [member: string]: unknown } = this.isNew() ? { op: "create", ...created(target, this.ports.unique()) } : { op: "update", pageId: this.page, ...updated(base.work, target) };
    if (base.revision !== remote.revision) body["baseRevision"] = base.revision;
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
    const own = same(work, this.work.value) || this.unsure.includes(fingerprint(work));
    this.page = live.id;
    this.live.value = live;
    if (!own) return this.clash({ base: known, mine: this.work.value, theirs: work }, { base, remote: null });
    this.base = base;
    this.remote = null;
    this.unsure = [];
  }

  /** The page as it stands. A new one exists once its draft was merged. */
  private async livePage(): Promise<Page | undefined> {
    const { server } = this.ports;
    if (!this.isNew()) return (await readPage(server, this.page)).data;
    const p = this.remote && (await orNothing(server.call<Proposal>(`/proposals/${this.remote.proposal}`)));
    const slug = p?.data.status === "merged" ? p.data.changes[0]?.slug : undefined;
    return slug === undefined ? undefined : (await orNothing(server.call<Page>(`/pages/by-slug/${encodeURIComponent(slug)}`)))?.data;
  }

  // Conflicts.

  protected clash(c: Conflict, next: Next): void {
    this.next = next;
    this.unsure = [];
    this.conflict.value = { base: c.base, mine: c.mine, theirs: c.theirs };
  }

  /** Shows the text that a tab left behind which is neither on the server nor in work. */
  private nextOther(): void {
    const record = this.others.shift();
    if (record) this.clash({ base: this.base.work, mine: this.work.value, theirs: record.work }, { base: this.base, remote: this.remote, record });
  }
}
