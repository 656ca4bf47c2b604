import { useRef, useState } from "preact/hooks";
import { Told, Unreachable } from "../api/client.ts";
import { client } from "../session.ts";
import { Keys } from "./key.ts";

/** Creates something by a request that is carried out once, even if it is tried again after an answer that was lost. */
export type Post = <T = unknown>(path: string, body?: unknown, ifMatch?: string) => Promise<T>;

/** Something that is being done, and what went wrong with the last. */
export interface Act {
  busy: boolean;
  fault: unknown;
  /** Does one thing at a time; what fails is kept in fault. Tells whether it was done. */
  run: (what: (post: Post) => Promise<unknown>) => Promise<boolean>;
}

export function useAct(): Act {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const running = useRef(false);
  const keys = useRef<Keys>(undefined);
  const post: Post = (path, body, ifMatch) =>
    (keys.current ??= new Keys()).use([path, body, ifMatch], async (idempotencyKey) => (await client.call<any>(path, { method: "POST", idempotencyKey, ...(body !== undefined && { body }), ...(ifMatch && { ifMatch }) })).data);
  const run = async (what: (post: Post) => Promise<unknown>) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setFault(undefined);
    try {
      await what(post);
      return true;
    } catch (e) {
      setFault(e);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, fault, run };
}

/** Asks the API to change something, and returns what it answers. */
export const send = <T = unknown>(method: "POST" | "PATCH" | "PUT" | "DELETE", path: string, body?: unknown): Promise<T> => client.call<T>(path, { method, ...(body !== undefined && { body }) }).then((a) => a.data);

/**
 * Creates something with a secret, which the server tells once. After an answer that was
 * lost it looks for what was made, before it makes another; told says that it is there.
 */
export function useMake<T extends { id: string }>(path: string, known: readonly T[] | undefined, mine: (row: T) => boolean, told: () => string) {
  const lost = useRef(false);
  return async <A>(body: unknown): Promise<A> => {
    if (lost.current) {
      const made = (await client.all<T>(`${path}?limit=100`)).some((row) => mine(row) && !known?.some((k) => k.id === row.id));
      lost.current = false;
      if (made) throw new Told(told());
    }
    try {
      return await send<A>("POST", path, body);
    } catch (e) {
      lost.current = e instanceof Unreachable;
      throw e;
    }
  };
}
