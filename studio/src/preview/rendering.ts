import { signal } from "@preact/signals";
import { Problem, SignedOut, Unreachable } from "../api/client.ts";
import type { Client } from "../api/client.ts";
import type { Dialect, Rendered } from "../api/types.ts";
import { t } from "../words.ts";

/** What is sent to be rendered. */
export interface Draft {
  content: string;
  format?: "markdown" | "mdx";
  pageId?: string;
  dialect?: Dialect | null;
}

export interface Answer extends Rendered {
  lines: number; // of the text
}

// How long nothing is typed before a text is rendered, by its length. Longer ones wait
// until somebody asks.
const waits = [
  { upTo: 250_000, ms: 70 },
  { upTo: 750_000, ms: 500 },
];
const again = { first: 2_000, most: 30_000 }; // ms, where the server did not answer

/** Has the server render a text while it is typed: one request at a time, of the newest text. */
export class Rendering {
  readonly answer = signal<Answer | undefined>(undefined);
  /** Counts requests. Whoever follows it sees the text as it is sent. */
  readonly asked = signal(0);
  /** Why the answer is not the newest, in words. */
  readonly trouble = signal<string | undefined>(undefined);
  /** Whether a text is so long that it is rendered on demand. */
  readonly waiting = signal(false);
  private readonly client: Pick<Client, "call">;
  private readonly draft: () => Draft;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private request: AbortController | undefined;
  private delay = again.first;

  constructor(client: Pick<Client, "call">, draft: () => Draft) {
    this.client = client;
    this.draft = draft;
  }

  /** Tells that the text has changed, and how long it is. */
  changed(length: number): void {
    const wait = waits.find((w) => length <= w.upTo);
    this.waiting.value = !wait;
    if (wait) this.later(wait.ms);
    else clearTimeout(this.timer);
  }

  /** Renders the text as it is now. */
  async now(): Promise<void> {
    clearTimeout(this.timer);
    this.request?.abort();
    const request = (this.request = new AbortController());
    const draft = this.draft();
    this.asked.value++;
    this.waiting.value = false;
    try {
      const { data } = await this.client.call<Rendered>("/render", { method: "POST", body: draft, signal: request.signal });
      if (request.signal.aborted) return;
      this.answer.value = { ...data, lines: draft.content.split("\n").length };
      this.trouble.value = undefined;
      this.delay = again.first;
    } catch (e) {
      if (request.signal.aborted) return;
      this.trouble.value = said(e);
      if (!passes(e)) return;
      this.later(this.delay);
      this.delay = Math.min(again.most, this.delay * 2);
    } finally {
      if (this.request === request) this.request = undefined;
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.request?.abort();
  }

  private later(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(), ms);
  }
}

/** Whether the same request may succeed later. */
const passes = (e: unknown) => e instanceof Unreachable || (e instanceof Problem && (e.status === 429 || e.status >= 500));

function said(e: unknown): string {
  if (e instanceof Unreachable) return t("previewUnreachable");
  if (e instanceof SignedOut) return t("previewSignedOut");
  if (e instanceof Problem) return e.status === 413 ? t("previewTooLong") : e.status === 429 ? t("previewBusy") : e.message;
  throw e;
}
