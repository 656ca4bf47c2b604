import type { Journal, Record } from "./ports.ts";

/** A text on this device that its tab has left behind. */
export interface Unsent {
  key: string;
  page: string; // see Record
  proposal: string | undefined;
  title: string;
  at: Date;
}

const database = "octavo-studio";
const store = "texts";
const patience = 5000; // some browsers leave a request without an answer
const aged = 10_000; // where tabs cannot be told from dead ones, a record this old is of a dead one

type Locks = Pick<LockManager, "request" | "query">;

/** Keeps in IndexedDB what one person has typed at one server. */
export class DeviceJournal implements Journal {
  private readonly owner: [person: string, root: string];
  private readonly factory: IDBFactory | undefined;
  private readonly locks: Locks | undefined; // only secure contexts have them
  private readonly now: () => number;
  private readonly holding = new Map<string, () => void>();
  private opened: Promise<IDBDatabase> | undefined;

  constructor(person: string, root: string, factory: IDBFactory | undefined, locks: Locks | undefined, now: () => number) {
    this.owner = [person, root];
    this.factory = factory;
    this.locks = locks;
    this.now = now;
  }

  async put(r: Record): Promise<void> {
    this.hold(r.key);
    await this.run("readwrite", (s) => s.put(r, [...this.owner, r.key]));
  }

  async remove(key: string): Promise<void> {
    await this.run("readwrite", (s) => s.delete([...this.owner, key]));
  }

  async abandoned(mine: (r: Record) => boolean): Promise<Record[]> {
    const range = IDBKeyRange.bound([...this.owner], [...this.owner, []]);
    const all = (await this.run<Record[]>("readonly", (s) => s.getAll(range))).filter(mine);
    const held = this.locks && new Set((await this.locks.query()).held?.map((l) => l.name));
    const gone = (r: Record) => (held ? !held.has(this.lockOf(r.key)) : !this.holding.has(r.key) && this.now() - r.at > aged);
    return all.filter(gone).sort((a, b) => b.at - a.at);
  }

  async unsent(): Promise<Unsent[]> {
    const left = await this.abandoned(() => true);
    return left.map((r) => ({ key: r.key, page: r.page, proposal: r.proposal, title: r.work.title, at: new Date(r.at) }));
  }

  /** Ends what shows other tabs that this one is alive. */
  close(): void {
    for (const release of this.holding.values()) release();
    this.holding.clear();
    void this.opened?.then((db) => db.close(), () => {});
    this.opened = undefined;
  }

  private lockOf(key: string): string {
    return `${database} ${key}`;
  }

  private hold(key: string): void {
    if (this.holding.has(key)) return;
    this.holding.set(key, () => {});
    void this.locks?.request(this.lockOf(key), () => new Promise<void>((release) => this.holding.set(key, release)));
  }

  private async run<T>(mode: IDBTransactionMode, ask: (s: IDBObjectStore) => IDBRequest): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, fail) => (timer = setTimeout(() => fail(new Error("no answer")), patience)));
    return Promise.race([this.transact<T>(mode, ask), late]).finally(() => clearTimeout(timer));
  }

  private async transact<T>(mode: IDBTransactionMode, ask: (s: IDBObjectStore) => IDBRequest): Promise<T> {
    const db = await (this.opened ??= this.open());
    return new Promise<T>((done, fail) => {
      const tx = db.transaction(store, mode, { durability: "strict" });
      const request = ask(tx.objectStore(store));
      tx.oncomplete = () => done(request.result as T);
      tx.onabort = () => fail(tx.error ?? new Error("aborted"));
    });
  }

  private open(): Promise<IDBDatabase> {
    const opened = new Promise<IDBDatabase>((done, fail) => {
      if (!this.factory) throw new Error("no IndexedDB");
      const request = this.factory.open(database, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(store);
      request.onblocked = () => fail(new Error("blocked"));
      request.onerror = () => fail(request.error ?? new Error("not opened"));
      request.onsuccess = () => {
        const db = request.result;
        db.onclose = db.onversionchange = () => {
          db.close();
          this.opened = undefined; // the next use opens it anew
        };
        done(db);
      };
    });
    opened.catch(() => (this.opened = undefined));
    return opened;
  }
}
