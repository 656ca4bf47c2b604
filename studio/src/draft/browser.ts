import { signal } from "@preact/signals";
import { Client, SignedOut } from "../api/client.ts";
import { isLeft, place, session, token } from "../session.ts";
import { Draft } from "./draft.ts";
import { DeviceJournal, type Unsent } from "./journal.ts";
import type { Place } from "./load.ts";
import type { Clock, Ports, Server } from "./ports.ts";

const patience = 60_000; // with one request

const clock: Clock = {
  now: () => Date.now(),
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    return () => clearTimeout(timer);
  },
};

/** Twelve random characters, by which a new page is known until it has an identifier. */
export function unique(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => (n % 36).toString(36)).join("");
}

const journalOf = (person: string) => new DeviceJournal(person, location.origin + place.root, globalThis.indexedDB, navigator.locks, clock.now);

/** The API, for one person: with the token of anybody else nothing is sent. */
function serverFor(person: string): Server {
  const client = new Client(place.api, async (refused) => {
    const text = await token(place, refused);
    if (session.value?.person !== person) throw new SignedOut();
    return text;
  });
  return {
    call: (path, o) => client.call(path, { ...o, signal: AbortSignal.timeout(patience) }),
    all: (path) => client.all(path),
  };
}

/** Drafts that are still being sent after their screen was left, by their place. */
const leaving = signal<ReadonlyMap<string, Promise<void>>>(new Map());
const persisted = signal(false);

/** Opens a page to be written by whoever is signed in. close ends it. */
export async function openDraft(at: Place): Promise<{ draft: Draft; close(): void }> {
  const person = session.value?.person;
  if (person === undefined) throw new SignedOut();
  const name = JSON.stringify(at);
  await leaving.value.get(name);
  const journal = journalOf(person);
  const ports: Ports = { server: serverFor(person), journal, clock, person, unique };
  const draft = await Draft.open(ports, at);
  const ended = new AbortController();
  const { signal: until } = ended;
  const back = () => {
    draft.wake();
    void draft.refresh();
  };
  for (const event of ["online", "focus", "pageshow"]) addEventListener(event, back, { signal: until });
  document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? draft.take() : back()), { signal: until });
  addEventListener("pagehide", () => draft.take(), { signal: until });
  // A tab that has just died still holds its texts for a moment.
  for (const ms of [1000, 5000]) until.addEventListener("abort", clock.after(ms, () => void draft.refresh()));
  const ask = (e: BeforeUnloadEvent) => {
    draft.take();
    if (draft.atRisk && !isLeft()) e.preventDefault();
  };
  addEventListener("beforeunload", ask, { signal: until });
  if (!persisted.value) {
    persisted.value = true;
    void navigator.storage?.persist?.().catch(() => false);
  }
  const close = () => {
    if (until.aborted) return;
    ended.abort();
    const left = draft.close().finally(() => {
      journal.close();
      leaving.value = new Map([...leaving.value].filter(([, p]) => p !== left));
    });
    leaving.value = new Map(leaving.value).set(name, left);
  };
  return { draft, close };
}

/** What the person typed on this device that no open tab and not the server has. */
export async function unsent(person: string): Promise<Unsent[]> {
  const journal = journalOf(person);
  try {
    return await journal.unsent();
  } catch {
    return []; // there is no journal on this device
  } finally {
    journal.close();
  }
}
