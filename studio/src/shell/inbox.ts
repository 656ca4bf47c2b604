import { signal } from "@preact/signals";
import type { List } from "../api/types.ts";
import { client } from "../session.ts";

/** How many of the newest notifications were not read. */
export const unread = signal(0);

const often = 60_000; // milliseconds

/** Asks for notifications now. Where that fails, the number stays what it was. */
export function lookAtInbox(): void {
  client.call<List<{ read: boolean }>>("/notifications?limit=100").then(
    (a) => (unread.value = a.data.data.filter((n) => !n.read).length),
    () => undefined,
  );
}

/** Asks from time to time, while somebody looks. */
export function followInbox(): () => void {
  const look = () => document.visibilityState === "visible" && lookAtInbox();
  look();
  const timer = setInterval(look, often);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
