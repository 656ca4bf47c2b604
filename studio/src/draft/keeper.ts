import { batch, signal } from "@preact/signals";
import type { Problem } from "../api/client.ts";
import type { Page } from "../api/types.ts";
import type { Base, Ports, Post, Record } from "./ports.ts";
import type { Remote } from "./remote.ts";
import { fingerprint, same, type Work } from "./work.ts";

/** Where what was typed is. "tab" says that not even this device keeps it. */
export type State = "saved" | "saving" | "device" | "tab" | "signedOut" | "conflict";

/** Two texts that were both made of a third. */
export interface Conflict {
  base: Work;
  mine: Work;
  theirs: Work;
  revision?: number | undefined; // of base, where that is one
}

const idle = 300; // a pause in typing
export const longest = 1000; // what is typed without a pause is kept and sent this often

/** Keeps what is typed on this device, and says where it is. */
export abstract class Keeper {
  readonly state = signal<State>("saved");
  readonly savedAt = signal<Date | null>(null);
  readonly live = signal<Page | null>(null);
  /** What is drafted, as it was last read. */
  readonly work;
  /** What the editor has to show: it changes when a text came from elsewhere. */
  readonly shown;
  readonly dirty = signal(false);
  readonly problem = signal<Problem | null>(null);
  /** While there is one nothing is sent; what is typed meanwhile is in work, not in mine. */
  readonly conflict = signal<Conflict | null>(null);

  protected readonly ports: Ports;
  protected readonly found = signal<string | undefined>(undefined);
  protected base: Base;
  protected remote: Remote | null = null;
  protected unsure: string[] = []; // fingerprints of what was sent without an answer
  protected post: Post | undefined;
  protected page: string;
  protected closed = false;
  protected taken: Record[] = []; // of other tabs, whose text is in work
  protected trouble: "network" | "signedOut" | undefined;
  protected refused: Work | undefined; // by the server, for good

  private readonly key: string;
  private read: (() => Partial<Work>) | undefined;
  private first = 0; // when the oldest key was typed that has not been read
  private last = 0;
  private stopReading = (): void => {};
  private stored: Work | undefined; // in the journal
  private storedAs = ""; // of which page and proposal
  private written = false; // the journal may have a record of this tab
  private kept = true; // the journal works
  private storing: Promise<void> | undefined;

  constructor(ports: Ports, page: string, base: Base, work: Work) {
    this.ports = ports;
    this.page = page;
    this.key = ports.unique();
    this.base = base;
    this.work = signal(work);
    this.shown = signal(work);
  }

  /** Sends what is not on the server. */
  protected abstract run(): Promise<void>;

  /** The proposal that the draft is, once a new tab would find it by that. */
  get proposal(): string | undefined {
    return this.found.value;
  }

  /** Whether closing the tab now would lose something. */
  get atRisk(): boolean {
    return this.typing || (!this.onServer() && this.stored !== this.work.value);
  }

  /** Whether something was typed that has not been read. */
  protected get typing(): boolean {
    return this.first > 0;
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
    this.stopReading = this.ports.clock.after(ms, () => {
      const now = this.ports.clock.now();
      const wait = Math.min(this.last + idle, this.first + longest) - now;
      if (wait > 0) this.readLater(wait);
      else this.take();
    });
  }

  /** Reads what was typed, keeps it on the device and sends it. */
  take(): void {
    this.stopReading();
    if (this.first === 0 || !this.read) return;
    this.first = 0;
    const now = { ...this.work.value, ...this.read() };
    if (!same(now, this.work.value)) this.work.value = now;
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

  /** Is called when nothing is left that the server has refused. */
  protected abstract mended(): void;

  protected isNew(): boolean {
    return this.page.startsWith("new:");
  }

  protected settle(): void {
    const stuck = this.trouble === "network" || this.refused === this.work.value;
    let state: State = "saving";
    if (this.trouble === "signedOut") state = "signedOut";
    else if (this.conflict.value) state = "conflict";
    else if (!this.typing && this.onServer()) state = "saved";
    else if (stuck) state = this.kept ? "device" : "tab";
    if (state === "saved") this.mended();
    batch(() => {
      this.state.value = state;
      this.dirty.value = this.typing || !same(this.work.value, this.base.work);
    });
  }

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
        const done = this.done();
        const name = this.name();
        if (!done && (this.stored !== work || this.storedAs !== name)) {
          this.written = true;
          this.storedAs = name;
          await journal.put(this.record());
        } else if (done && this.written) {
          this.found.value = this.remote?.proposal; // before nothing else leads to the text
          await journal.remove(this.key);
          this.written = false;
        }
        this.stored = done ? undefined : work;
        this.kept = true;
        while (this.taken.length > 0) await journal.remove(this.taken.shift()!.key);
        if (this.work.value === work && done === this.done() && name === this.name()) break;
      }
    } catch {
      this.kept = false;
      this.stored = undefined;
    }
    this.found.value = this.remote?.proposal;
    this.settle();
  }

  private name(): string {
    return `${this.page} ${this.remote?.proposal}`;
  }

  private done(): boolean {
    return this.conflict.value === null && this.post === undefined && this.onServer();
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
}
