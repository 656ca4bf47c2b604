import { SignedOut, Unreachable } from "../src/api/client.ts";
import { Draft } from "../src/draft/draft.ts";
import type { Place } from "../src/draft/load.ts";
import type { Journal, Ports, Record, Server } from "../src/draft/ports.ts";
import { FakeServer } from "./server.ts";

/** Numbers that are the same for the same seed. */
export function random(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A network, a device and a clock that do what the test wants, and fail when it wants. */
export class World {
  readonly server = new FakeServer();
  readonly records = new Map<string, Record>();
  readonly owners = new Map<string, Tab>();
  readonly tabs: Tab[] = [];
  now = 1_000_000;
  chance: () => number;
  trouble = { lost: 0, unanswered: 0, late: 0 }; // how likely each is
  online = true;
  signedIn: string | null = "ann";
  journalWorks = true;
  private queue: { at: number; f: () => void }[] = [];
  private names = 0;

  constructor(seed = 1) {
    this.chance = random(seed);
  }

  after(ms: number, f: () => void): () => void {
    const entry = { at: this.now + ms, f };
    this.queue.push(entry);
    return () => (this.queue = this.queue.filter((e) => e !== entry));
  }

  /** Lets time pass, one event after the other. */
  async pass(ms: number, check?: () => void): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await new Promise(setImmediate);
      check?.();
      let next = this.queue[0];
      for (const e of this.queue) if (e.at < next!.at) next = e;
      if (!next || next.at > end) break;
      this.queue.splice(this.queue.indexOf(next), 1);
      this.now = Math.max(this.now, next.at);
      next.f();
    }
    this.now = end;
  }

  unique = (): string => (++this.names).toString(36).padStart(12, "0");

  async open(place: Place): Promise<Tab> {
    const tab = new Tab(this);
    const opening = Draft.open(tab.ports, place).then((d) => tab.has(d));
    let done: unknown;
    opening.then(() => (done = true), (e: unknown) => (done = e));
    for (let n = 0; done === undefined && n < 100; n++) await this.pass(500);
    if (done !== true) throw done;
    this.tabs.push(tab);
    return tab;
  }
}

/** A tab of a browser in which one page is open. */
export class Tab {
  readonly ports: Ports;
  draft!: Draft;
  text = "";
  alive = true;
  requests = 0; // in flight that write
  private readonly world: World;

  constructor(world: World, person = "ann") {
    this.world = world;
    const clock = { now: () => world.now, after: (ms: number, f: () => void) => world.after(ms, () => this.alive && f()) };
    this.ports = { server: this.network(person), journal: this.journal(), clock, person, unique: world.unique };
  }

  has(d: Draft): void {
    this.draft = d;
    d.shown.subscribe((w) => (this.text = w.content));
  }

  type(text: string): void {
    this.text = text;
    this.draft.changed(() => ({ content: this.text }));
  }

  kill(): void {
    this.alive = false;
  }

  private async wait(most: number): Promise<void> {
    await new Promise<void>((done) => this.world.after(this.world.chance() * most, done));
    if (!this.alive) await new Promise(() => {}); // a dead tab gets no answers
  }

  private network(person: string): Server {
    const { world } = this;
    const call = async (path: string, o: any = {}): Promise<any> => {
      const asked = JSON.parse(JSON.stringify({ method: o.method, body: o.body, ifMatch: o.ifMatch, idempotencyKey: o.idempotencyKey }));
      await this.wait(100);
      if (world.signedIn !== person) throw new SignedOut();
      const { lost, unanswered, late } = world.trouble;
      if (!world.online || world.chance() < lost) throw new Unreachable();
      if (world.chance() < late) {
        world.after(world.chance() * 10_000, () => {
          try {
            world.server.handle(person, path, asked);
          } catch {
            // nobody waits for it
          }
        });
        throw new Unreachable();
      }
      let answer: any;
      try {
        answer = JSON.parse(JSON.stringify(world.server.handle(person, path, asked)));
      } finally {
        await this.wait(100);
      }
      if (world.chance() < unanswered) throw new Unreachable();
      return answer;
    };
    const counted = async (path: string, o: any = {}): Promise<any> => {
      const writes = (o.method ?? "GET") !== "GET";
      if (writes && ++this.requests > 1) throw new Error("two requests of one draft at once");
      try {
        return await call(path, o);
      } finally {
        if (writes) this.requests--;
      }
    };
    return { call: counted, all: async (path) => (await call(path)).data.data };
  }

  private journal(): Journal {
    const { world } = this;
    const works = async () => {
      await this.wait(20);
      if (!world.journalWorks) throw new Error("no journal");
    };
    return {
      put: async (r) => {
        const copy = structuredClone(r);
        await works();
        world.owners.set(r.key, this);
        world.records.set(r.key, copy);
        await this.wait(20);
      },
      remove: async (key) => {
        await works();
        world.records.delete(key);
        await this.wait(20);
      },
      abandoned: async (mine) => {
        await works();
        const dead = [...world.records.values()].filter((r) => !world.owners.get(r.key)!.alive && mine(r));
        return structuredClone(dead.sort((a, b) => b.at - a.at));
      },
    };
  }
}
