import { signal } from "@preact/signals";
import { Client, SignedOut, Unreachable } from "./api/client.ts";

/** Who is signed in, as the access token tells. */
export interface Session {
  person: string; // the identifier under which drafts and the journal are kept
  scopes: Set<string>;
}

/** What the server says of itself in the document. */
export interface Place {
  root: string; // path of the server, "" at the root of its host
  api: string; // address of the API, with version
  site: string; // path of the live site, "" without one
}

interface Token {
  access_token: string;
  expires_in: number;
  scope: string;
}

/** undefined until it is known, null while nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);

const early = 60_000; // a token is renewed this long before it ends

let current: { text: string; until: number } | undefined;
let asking: Promise<string> | undefined;

/** The access token, which is kept in memory alone. */
export function token(place: Place, refused?: string): Promise<string> {
  if (current && current.text !== refused && performance.now() < current.until) return Promise.resolve(current.text);
  asking ??= ask(place).finally(() => (asking = undefined));
  return asking;
}

async function ask(place: Place): Promise<string> {
  let response: Response;
  const asked = performance.now();
  try {
    response = await fetch(`${place.root}/studio/token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch (e) {
    throw new Unreachable(String(e));
  }
  if (response.status === 401) {
    current = undefined;
    session.value = null;
    throw new SignedOut();
  }
  if (!response.ok) throw new Unreachable(`${response.status} ${response.statusText}`);
  const given = (await response.json()) as Token;
  current = { text: given.access_token, until: asked + given.expires_in * 1000 - early };
  const person = subject(given.access_token);
  // Somebody else has signed in meanwhile, in another tab: nothing of this page is theirs.
  if (session.value && session.value.person !== person) location.reload();
  session.value = { person, scopes: new Set(given.scope.split(" ")) };
  return given.access_token;
}

/** Access tokens are JWTs, whose subject is the person. */
function subject(token: string): string {
  const payload = token.split(".")[1] ?? "";
  const text = atob(payload.replace(/-/g, "+").replace(/_/g, "/"));
  return (JSON.parse(text) as { sub: string }).sub;
}

export const may = (scope: "pages:propose" | "pages:write" | "admin"): boolean => session.value?.scopes.has(scope) ?? false;

export function readPlace(): Place {
  const of = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="octavo-${name}"]`)?.content ?? "";
  return { root: of("root"), api: of("api"), site: of("site") };
}

export const place = readPlace();
export const client = new Client(place.api, (refused) => token(place, refused));
