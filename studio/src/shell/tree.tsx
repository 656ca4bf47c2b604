import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { List, TreePage } from "../api/types.ts";
import { addressOf } from "../router.ts";
import { client } from "../session.ts";

/** All pages in the order of the tree. */
export const pages = signal<TreePage[]>([]);

let etag = "";

export async function loadPages(): Promise<void> {
  const answer = await client.call<List<TreePage>>("/tree");
  if (etag === "" || answer.etag !== etag) pages.value = answer.data.data;
  etag = answer.etag;
}

export function Tree() {
  useEffect(() => void loadPages(), []);
  return (
    <ul>
      {pages.value.map((p) => (
        <li key={p.id}>
          <a href={addressOf({ name: "page", id: p.id })}>{p.title}</a>
        </li>
      ))}
    </ul>
  );
}
