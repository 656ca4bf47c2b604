import type { Pagination, ProblemBody } from "./types.ts";

/** An answer that refuses a request. */
export class Problem extends Error {
  readonly status: number;
  readonly body: ProblemBody;

  constructor(body: ProblemBody) {
    super(body.detail ?? body.title);
    this.status = body.status;
    this.body = body;
  }

  /** The last part of the type, such as "merge-conflict". */
  get kind(): string {
    return this.body.type.split("/").pop() ?? "";
  }
}

/** What Studio itself has to say, in words for whoever is there. */
export class Told extends Error {}

/** No answer came: the network or the server is gone. */
export class Unreachable extends Error {}

/** Nobody is signed in any more. */
export class SignedOut extends Error {}

export interface Answer<T> {
  data: T;
  etag: string;
}

export interface Request {
  method?: string;
  body?: unknown;
  ifMatch?: string;
  accept?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
  keepalive?: boolean;
}

/** Gives the access token to send, a new one when the server refused the last. */
export type Token = (refused?: string) => Promise<string>;

/** Calls operations of the API. Every request of Studio goes through call or upload. */
export class Client {
  private readonly base: string;
  private readonly token: Token;
  private readonly fetch: typeof fetch;

  constructor(base: string, token: Token, doFetch: typeof fetch = (...a) => fetch(...a)) {
    this.base = base;
    this.token = token;
    this.fetch = doFetch;
  }

  /** Fails with Problem, Unreachable or SignedOut, or as the signal aborts. */
  async call<T>(path: string, o: Request = {}): Promise<Answer<T>> {
    const headers: Record<string, string> = { Accept: o.accept ?? "application/json" };
    if (o.body !== undefined) headers["Content-Type"] = "application/json";
    if (o.ifMatch) headers["If-Match"] = o.ifMatch;
    if (o.idempotencyKey) headers["Idempotency-Key"] = o.idempotencyKey;
    const init: RequestInit = { method: o.method ?? "GET", headers, credentials: "omit", cache: "no-cache" };
    if (o.body !== undefined) init.body = JSON.stringify(o.body);
    if (o.signal) init.signal = o.signal;
    if (o.keepalive) init.keepalive = true;
    const response = await this.send(path, init);
    const etag = response.headers.get("ETag") ?? "";
    if (response.status === 204) return { data: undefined as T, etag };
    const json = (response.headers.get("Content-Type") ?? "").includes("json");
    try {
      return { data: (json ? await response.json() : await response.text()) as T, etag };
    } catch (e) {
      if (o.signal?.aborted) throw e;
      throw new Unreachable(String(e));
    }
  }

  /** All elements of a list, page by page. */
  async all<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let cursor = ""; ; ) {
      const next = cursor ? `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}` : path;
      const { data } = await this.call<{ data: T[]; pagination?: Pagination }>(next);
      found.push(...data.data);
      cursor = data.pagination?.cursor ?? "";
      if (!cursor) return found;
    }
  }

  private async send(path: string, init: RequestInit, refused?: string): Promise<Response> {
    const token = await this.token(refused);
    (init.headers as Record<string, string>)["Authorization"] = `Bearer ${token}`;
    let response: Response;
    try {
      response = await this.fetch(this.base + path, init);
    } catch (e) {
      if (init.signal?.aborted) throw e;
      throw new Unreachable(String(e));
    }
    // The session, or the role, may have changed since the token was given.
    if ((response.status === 401 || response.status === 403) && refused === undefined) return this.send(path, init, token);
    if (response.status === 401) throw new SignedOut();
    if (response.ok) return response;
    throw await problem(response);
  }
}

async function problem(response: Response): Promise<Error> {
  try {
    return new Problem((await response.json()) as ProblemBody);
  } catch {
    // A proxy's page: the server itself always answers with a Problem.
    return new Unreachable(`${response.status} ${response.statusText}`);
  }
}
