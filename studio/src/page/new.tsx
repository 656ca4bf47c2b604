import { useEffect, useMemo } from "preact/hooks";
import { unique } from "../draft/browser.ts";
import { readdress } from "../router.ts";
import { PageScreen } from "./screen.tsx";

/** The screen of a page that does not exist yet, or of a draft that makes one. */
export function NewScreen({ proposal, parent, example }: { proposal: string | null; parent: string | null; example: boolean }) {
  const place = useMemo(() => ({ draft: proposal ?? unique(), parent }), []);
  // A tab that is loaded again comes back to this draft.
  useEffect(() => readdress({ name: "new", parent, proposal: place.draft }), []);
  return <PageScreen place={place} example={example} />;
}
