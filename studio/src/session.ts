import { signal } from "@preact/signals";
import { Client, SignedOut, Unreachable } from "./api/client.ts";

/** Who is signed in, as the access token tells. */
export interface Session {
  person: string; // the identifier under which drafts and the journal are kept
  name: string;
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

/** Who was signed in last, for whom the screens stay as they are when the session ends. */
export const known = signal<Session | undefined>(undefined);

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
  const { sub: person, name = "" } = claims(given.access_token);
  if (known.value && known.value.person !== person) return leave();
  current = { text: given.access_token, until: asked + given.expires_in * 1000 - early };
  const before = session.value;
  session.value = known.value = { person, name, scopes: new Set(given.scope.split(" ")) };
  if (!before) others?.postMessage("in");
  return given.access_token;
}

let left = false;

/** Whether this page is being left for somebody else, who is not asked whether to stay. */
export const isLeft = (): boolean => left;

/**
 * Leaves this page, as somebody else has signed in meanwhile, in another tab: nothing here
 * is theirs, and nothing is sent any more.
 */
function leave(): Promise<string> {
  left = true;
  location.reload();
  return new Promise(() => {});
}

/** Access tokens are JWTs, whose subject is the person. */
function claims(token: string): { sub: string; name?: string } {
  const payload = token.split(".")[1] ?? "";
  const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as { sub: string; name?: string };
}

/** Ends the session of this browser, here and in other tabs. */
export async function signOut(place: Place): Promise<void> {
  const response = await fetch(`${place.root}/studio/signout`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
    credentials: "same-origin",
    cache: "no-store",
  }).catch((e: unknown) => {
    throw new Unreachable(String(e));
  });
  if (!response.ok) throw new Unreachable(`${response.status} ${response.statusText}`);
  current = undefined;
  others?.postMessage("out");
}

/** Tabs of this browser tell each other that somebody has signed in or out. */
const others = typeof BroadcastChannel === "undefined" || typeof document === "undefined" ? undefined : new BroadcastChannel("octavo-session");

/** Follows what other tabs tell, and looks again when a person comes back to this one. */
export function followSession(place: Place): void {
  const again = () => void (session.value === null && token(place).catch(() => undefined));
  others?.addEventListener("message", (e) => {
    if (e.data === "in") return again();
    current = undefined;
    session.value = null;
  });
  addEventListener("focus", again);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && again());
}

export const may = (scope: "pages:propose" | "pages:write" | "admin"): boolean => known.value?.scopes.has(scope) ?? false;

export function readPlace(): Place {
  const of = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="octavo-${name}"]`)?.content ?? "";
  return { root: of("root"), api: of("api"), site: of("site") };
}

export const place = readPlace();
export const client = new Client(place.api, (refused) => token(place, refused));
