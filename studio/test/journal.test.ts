import assert from "node:assert/strict";
import test from "node:test";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { DeviceJournal } from "../src/draft/journal.ts";
import type { Record } from "../src/draft/ports.ts";
import { blank } from "../src/draft/work.ts";

globalThis.IDBKeyRange = IDBKeyRange;

const record = (key: string, page: string, at: number, title = key): Record => {
  const work = { ...blank(null), title, content: "x\r\ny\0\ud83d\ude00" };
  return { key, page, at, work, base: { revision: 1, work }, unsure: [] };
};

/** Locks as browsers have them, of several tabs. */
function locks() {
  const held = new Set<string>();
  const request = async (name: string, f: () => Promise<void>) => {
    held.add(name);
    await f().finally(() => held.delete(name));
  };
  const query = async () => ({ held: [...held].map((name) => ({ name })) });
  return { request, query } as unknown as LockManager;
}

test("texts are kept for the person and the server that they are of", async () => {
  const factory = new IDBFactory();
  const tab = (person: string, root: string) => new DeviceJournal(person, root, factory, undefined, () => 100_000);
  const ann = tab("ann", "https://a");
  await ann.put(record("1", "page_1", 1));
  await tab("ann", "https://b").put(record("1", "page_1", 2));
  await tab("anna", "https://a").put(record("1", "page_1", 3));
  await ann.put(record("2", "page_2", 4, "second"));
  await ann.put(record("2", "page_2", 5, "third"));
  ann.close(); // so that they are not of a tab that is open
  const later = tab("ann", "https://a");
  assert.deepEqual((await later.unsent()).map((u) => [u.key, u.page, u.title, u.at.getTime()]), [["2", "page_2", "third", 5], ["1", "page_1", "1", 1]]);
  const [found] = await later.abandoned((r) => r.page === "page_1");
  assert.deepEqual(found, record("1", "page_1", 1));
  await later.remove("1");
  assert.equal((await later.unsent()).length, 1);
});

test("a text is taken up once its tab is gone", async () => {
  const [factory, held] = [new IDBFactory(), locks()];
  const a = new DeviceJournal("ann", "", factory, held, () => 0);
  const b = new DeviceJournal("ann", "", factory, held, () => 1_000_000);
  await a.put(record("1", "page_1", 0));
  assert.equal((await b.unsent()).length, 0);
  a.close();
  await new Promise(setImmediate);
  assert.equal((await b.unsent()).length, 1);
});

test("without locks, a text is taken up once it is old", async () => {
  const factory = new IDBFactory();
  let now = 0;
  const a = new DeviceJournal("ann", "", factory, undefined, () => now);
  const b = new DeviceJournal("ann", "", factory, undefined, () => now);
  await a.put(record("1", "page_1", 0));
  now = 9000;
  assert.equal((await b.unsent()).length, 0);
  now = 11_000;
  assert.equal((await b.unsent()).length, 1);
  assert.equal((await a.unsent()).length, 0);
});

test("without IndexedDB everything fails, and may work the next time", async () => {
  const none = new DeviceJournal("ann", "", undefined, undefined, () => 0);
  await assert.rejects(none.put(record("1", "page_1", 0)));
  const factory = new IDBFactory();
  let broken = true;
  const flaky = { open: (name: string, version: number) => (broken ? raise() : factory.open(name, version)) } as unknown as IDBFactory;
  const journal = new DeviceJournal("ann", "", flaky, undefined, () => 0);
  await assert.rejects(journal.put(record("1", "page_1", 0)));
  broken = false;
  await journal.put(record("1", "page_1", 0));
});

function raise(): never {
  throw new DOMException("no", "SecurityError");
}
