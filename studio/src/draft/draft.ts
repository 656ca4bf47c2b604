import { Problem, SignedOut, Unreachable, type Request } from "../api/client.ts";
import type { Page, Proposal } from "../api/types.ts";
import { load, type Place } from "./load.ts";
import type { Ports } from "./ports.ts";
import { baseFrom, baseOf, orNothing, readPage } from "./remote.ts";
import { Saver } from "./saver.ts";
import { blank, named, same, untitled, workOf, type Work } from "./work.ts";

/** How something ended that was asked for. "refused" leaves the server's words in problem. */
export type Outcome = "done" | "refused" | "conflict" | "unreachable" | "signedOut";

interface Merged {
  proposal: Proposal;
  pages: { id: string; revision: number }[];
}

const tries = 3; // of a merge whose answer does not come

/** What one person writes of one page, from the first key until it is published. */
export class Draft extends Saver {
  /** The proposal that others were asked to review. */
  asked: string | undefined;

  static async open(ports: Ports, place: Place): Promise<Draft> {
    return new Draft(ports, await load(ports, place));
  }

  /** Makes the draft the page that everybody reads. */
  publish(): Promise<Outcome> {
    return this.merge({ status: "published" });
  }

  /** Makes the draft the page, without publishing one that is not. */
  saveDraft(): Promise<Outcome> {
    return this.merge({});
  }

  /** Makes the draft the page, which publishes itself at a time, or no more with null. */
  schedule(publishAt: Date | null): Promise<Outcome> {
    return this.merge({ publishAt: publishAt?.toISOString() ?? null });
  }

  /** Takes the page from its readers. What is drafted stays drafted. */
  async unpublish(): Promise<Outcome> {
    const done = await this.attempt(async () => {
      const page = await readPage(this.ports.server, this.page);
      const { data } = await this.ports.server.call<Page>(`/pages/${this.page}`, { method: "PATCH", body: { status: "draft" }, ifMatch: page.etag });
      this.restate(data);
    });
    void this.run();
    return done;
  }

  /** Shows the draft to others, as the proposal asked. */
  async askForReview(reviewers: string[], message: string): Promise<Outcome> {
    const ready = await this.sent();
    if (ready !== "done") return ready;
    return this.attempt(async () => {
      const etag = await this.agreed();
      const { remote } = this;
      if (etag === undefined || !remote) return;
      const body = { title: remote.work.title, description: message, reviewers, status: "open" };
      await this.ports.server.call<Proposal>(`/proposals/${remote.proposal}`, { method: "PATCH", body, ifMatch: etag });
      this.asked = remote.proposal;
      await this.begin(this.isNew() ? undefined : this.page, remote.work);
    });
  }

  /** Forgets what is drafted. */
  discard(): Promise<Outcome> {
    this.take();
    return this.attempt(async () => {
      // Only the answer to the first request tells what there is to remove.
      if (this.post) await this.create(this.work.value).catch((e: unknown) => (this.post ? Promise.reject(e) : undefined));
      if (this.unsure.length > 0) await this.agree();
      for (let n = 0; n < tries && this.remote && !this.conflict.value; n++) await this.remove(this.base.work);
      if (this.conflict.value) return;
      if (this.remote) throw new Unreachable("the draft keeps changing");
      await this.begin(this.isNew() ? undefined : this.page, this.work.value);
    });
  }

  private async merge(set: Partial<Work>): Promise<Outcome> {
    this.take();
    let done = this.isNew() ? "done" : await this.attempt(async () => this.restate((await readPage(this.ports.server, this.page)).data));
    if (done !== "done") return done;
    const before = this.work.value;
    this.work.value = { ...before, ...set };
    done = await this.sent();
    if (done === "done" && this.remote) done = await this.attempt(() => this.mergeNow());
    if (done !== "done") this.undo(before, set);
    void this.run();
    return done;
  }

  /** Has the draft say again what it said before a merge that failed. */
  private undo(before: Work, set: Partial<Work>): void {
    const back = Object.fromEntries(Object.keys(set).map((m) => [m, before[m as keyof Work]])) as Partial<Work>;
    this.work.value = { ...this.work.value, ...back };
    const c = this.conflict.value;
    if (c) this.conflict.value = { ...c, mine: { ...c.mine, ...back } };
    this.settle();
    void this.store();
  }

  /** Sends everything that was typed. */
  private async sent(): Promise<Outcome> {
    this.take();
    const names = { title: untitled, slug: `untitled-${this.ports.unique().slice(0, 8)}` }; // for good, unlike those of created
    if (this.isNew()) this.show(named(this.work.value, names));
    await this.flush();
    if (!this.pending()) return "done";
    if (this.conflict.value) return "conflict";
    return this.state.value === "signedOut" ? "signedOut" : this.problem.value ? "refused" : "unreachable";
  }

  private async mergeNow(): Promise<void> {
    const etag = await this.agreed();
    const { remote } = this;
    if (etag === undefined || !remote) return;
    await this.sending({ ...remote.work, frontmatterRaw: undefined });
    const o = { method: "POST", ifMatch: etag, idempotencyKey: this.ports.unique() + this.ports.unique() };
    try {
      const { pages } = await this.patiently<Merged>(`/proposals/${remote.proposal}/merge`, o);
      await this.begin(pages[0]!.id, remote.work);
    } catch (e) {
      if (!(e instanceof Problem) || e.kind !== "merge-conflict" || this.isNew()) throw e;
      await this.mergeConflict(e);
    }
  }

  /** Asks again where no answer came. */
  private async patiently<T>(path: string, o: Request): Promise<T> {
    for (let n = 1; ; n++) {
      try {
        return (await this.ports.server.call<T>(path, o)).data;
      } catch (e) {
        if (!(e instanceof Unreachable) || n === tries) throw e;
        await new Promise<void>((done) => this.ports.clock.after(n * 1000, done));
      }
    }
  }

  /** The tag of the proposal, provided that its text is the one of this tab. */
  private async agreed(): Promise<string | undefined> {
    if (this.remote?.etag === "") await this.agree();
    const { remote } = this;
    if (!remote) return undefined;
    const { etag } = await this.ports.server.call<Proposal>(`/proposals/${remote.proposal}`);
    if (!(await this.agree())) return undefined;
    if (this.remote !== remote) throw new Unreachable("the draft has changed meanwhile");
    return etag;
  }

  /** Others have changed the same lines: the texts become a conflict. */
  private async mergeConflict(e: Problem): Promise<void> {
    const { remote } = this;
    const live = await orNothing(readPage(this.ports.server, this.page));
    const revision = e.body.conflicts?.find((c) => c.pageId === this.page)?.revision;
    if (!live || !remote || revision === undefined) throw e;
    const base = await baseOf(this.ports.server, live.data, { id: "", op: "update", baseRevision: revision });
    this.live.value = live.data;
    this.clash({ base: this.base.work, mine: this.work.value, theirs: base.work }, { base, remote });
  }

  /** Begins anew from the page as it stands, after done was merged, discarded or handed over. */
  private async begin(page: string | undefined, done: Work): Promise<void> {
    const live = page === undefined ? null : (await readPage(this.ports.server, page)).data;
    const base = live ? baseFrom(live) : { revision: undefined, work: blank(done.parentId) };
    this.take();
    this.page = page ?? this.page;
    this.unsure = [];
    this.remote = null;
    const work = this.work.value;
    const asWritten = same(base.work, { ...done, frontmatterRaw: undefined });
    if (!same(work, done) && !asWritten) this.clash({ base: done, mine: work, theirs: base.work }, { base, remote: null });
    else this.base = base;
    if (same(work, done)) this.show(base.work);
    await this.moved(live);
  }

  /** Takes the status, the times and the dialect that the page has by now for those that the draft was begun with. */
  private restate(live: Page): void {
    const { status, publishAt, unpublishAt, dialect } = workOf(live);
    const old = this.base.work;
    this.live.value = live;
    const now = { status, publishAt, unpublishAt, dialect };
    const names = Object.keys(now) as (keyof typeof now)[];
    if (names.every((m) => old[m] === now[m])) return;
    const kept = names.filter((m) => this.work.value[m] !== old[m]);
    const mine = Object.fromEntries(kept.map((m) => [m, this.work.value[m]]));
    this.base = { ...this.base, work: { ...old, ...now } };
    this.work.value = { ...this.work.value, ...now, ...mine };
    if (this.remote) this.remote = { ...this.remote, revision: undefined }; // the change has to note it too
  }

  /** Does something that the person asked for, alone. */
  private attempt(f: () => Promise<void>): Promise<Outcome> {
    return this.lock(async () => {
      if (this.conflict.value) return "conflict";
      this.problem.value = null;
      try {
        await f();
        return this.conflict.value ? "conflict" : "done";
      } catch (e) {
        if (e instanceof SignedOut) return "signedOut";
        if (!(e instanceof Problem)) return "unreachable";
        this.problem.value = e;
        return "refused";
      } finally {
        this.settle();
        void this.store();
      }
    });
  }
}
