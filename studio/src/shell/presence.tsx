import { useEffect, useState } from "preact/hooks";
import type { Person } from "../api/types.ts";
import { client, may, session } from "../session.ts";

interface Present {
  person: Person;
  pageId?: string;
  proposalId?: string;
}

const often = 20_000; // milliseconds; the server forgets after 30 s

/** Tells that somebody looks at a page or a proposal, and returns who else does. */
export function usePresence(at: { pageId: string } | { proposalId: string } | undefined): string[] {
  const [others, setOthers] = useState<string[]>([]);
  const key = JSON.stringify(at);
  useEffect(() => {
    if (!at || !may("pages:propose")) return;
    const end = new AbortController();
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      await client.call("/presence", { method: "PUT", body: at, signal: end.signal });
      const { data } = await client.call<{ data: Present[] }>("/presence", { signal: end.signal });
      const here = data.data.filter((p) => p.person.id !== session.peek()?.person && ("pageId" in at ? p.pageId === at.pageId : p.proposalId === at.proposalId));
      setOthers([...new Set(here.map((p) => p.person.name))]);
    };
    // It is a warning at most: what matters is refused where two write the same.
    const soon = () => void look().catch(() => undefined);
    soon();
    const timer = setInterval(soon, often);
    return () => {
      clearInterval(timer);
      end.abort();
      setOthers([]);
    };
  }, [key]);
  return others;
}
