import type { Answer, Request } from "../api/client.ts";
import type { Work } from "./work.ts";

/** The API, asked for one person. It fails with Problem, Unreachable or SignedOut. */
export interface Server {
  call<T>(path: string, o?: Request): Promise<Answer<T>>;
  all<T>(path: string): Promise<T[]>;
}

export interface Clock {
  now(): number; // milliseconds since 1970
  /** Calls f once, later. What it returns keeps that from happening. */
  after(ms: number, f: () => void): () => void;
}

/** What a draft was begun from. */
export interface Base {
  revision: number | undefined; // not known yet, or the page is new
  work: Work;
  front?: string; // front matter as JSON, by which the revision is found
}

/** The first request of a draft. It is repeated word by word until an answer comes. */
export interface Post {
  key: string;
  body: unknown;
  work: Work;
}

/** What one tab keeps on the device of what it has not sent yet. */
export interface Record {
  key: string;
  page: string; // identifier of the page, or "new:" and that of the page to be
  at: number;
  work: Work;
  base: Base;
  proposal?: string;
  etag?: string; // of the change, as this tab knows it
  unsure: string[]; // fingerprints of what was sent without an answer
  post?: Post;
}

/** Where one person's texts are kept on this device. */
export interface Journal {
  put(r: Record): Promise<void>;
  remove(key: string): Promise<void>;
  /** The records whose tab is gone, the newest first. They belong to whoever asks then. */
  abandoned(mine: (r: Record) => boolean): Promise<Record[]>;
}

export interface Ports {
  server: Server;
  journal: Journal;
  clock: Clock;
  person: string;
  /** Twelve random characters of a–z and 0–9. */
  unique(): string;
}
