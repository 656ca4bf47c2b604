import { session } from "../session.ts";

const most = 10;
const keyOf = () => `octavo.recent.${session.peek()?.person ?? ""}`;

/** The pages that the person opened last on this device, the last first. */
export function recent(): string[] {
  return JSON.parse(localStorage.getItem(keyOf()) ?? "[]") as string[];
}

export function visited(id: string): void {
  localStorage.setItem(keyOf(), JSON.stringify([id, ...recent().filter((r) => r !== id)].slice(0, most)));
}
