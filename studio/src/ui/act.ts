import { useRef, useState } from "preact/hooks";
import { client } from "../session.ts";

/** Something that is being done, and what went wrong with the last. */
export interface Act {
  busy: boolean;
  fault: unknown;
  /** Does one thing at a time; what fails is kept in fault. Tells whether it was done. */
  run: (what: () => Promise<unknown>) => Promise<boolean>;
}

export function useAct(): Act {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const running = useRef(false);
  const run = async (what: () => Promise<unknown>) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setFault(undefined);
    try {
      await what();
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
export const send = <T = unknown>(method: "POST" | "PATCH" | "PUT" | "DELETE", path: string, body?: unknown, idempotencyKey?: string): Promise<T> =>
  client.call<T>(path, { method, ...(body !== undefined && { body }), ...(idempotencyKey && { idempotencyKey }) }).then((a) => a.data);
