import { Problem, SignedOut } from "../../api/client.ts";
import type { Said } from "./say.ts";

/** Why a request came to nothing, in the words for people. */
export function whyNot(e: unknown): Said {
  if (e instanceof SignedOut) return "failedSignedOut";
  if (!(e instanceof Problem)) return "failedUnreachable";
  switch (e.status) {
    case 403:
      return "failedForbidden";
    case 409:
      return "failedNoRoom";
    case 413:
      return "failedTooLarge";
    case 415:
      return "failedType";
    case 429:
      return "failedTooMany";
  }
  return "failedOther";
}
