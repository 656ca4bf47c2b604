import type { Draft } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
interface Props {
  draft: Draft;
  onChange: (part: Partial<Work>) => void;
}

export function DetailsPanel(_: Props) {
  return null;
}

export function MatterPanel(_: Props) {
  return null;
}
