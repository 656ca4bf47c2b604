import type { Word } from "../words.ts";
import type { Field, Given, Kind } from "./matter.ts";

/** A key whose meaning Octavo knows. It is offered where it is not there, too. */
export interface Known {
  name: string;
  kind: Kind;
  label: Word;
  hint: Word;
}

const known: Known[] = [
  { name: "description", kind: "text", label: "matterDescription", hint: "matterDescriptionHint" },
  { name: "tags", kind: "list", label: "matterTags", hint: "matterTagsHint" },
  { name: "language", kind: "text", label: "matterLanguage", hint: "matterLanguageHint" },
  { name: "noindex", kind: "flag", label: "matterNoindex", hint: "matterNoindexHint" },
];

export interface Row {
  name: string;
  given: Field["given"];
  source: string;
  known?: Known;
}

export function emptyOf(kind: Kind): Given {
  switch (kind) {
    case "flag":
      return { kind, value: false };
    case "list":
      return { kind, value: [] };
    case "date":
      return { kind: "text", value: "" };
    case "number":
      return { kind, value: "0" };
    default:
      return { kind, value: "" };
  }
}

/** Whether a value says nothing, so that a known key can go. */
export const isEmpty = (g: Given): boolean => g.value === false || g.value === "" || (g.kind === "list" && g.value.length === 0);

/** What a form shows: the keys that Octavo knows, then the others in their order. */
export function rows(fields: Field[]): Row[] {
  const first = known.map((k): Row => {
    const name = k.name === "language" && fields.some((f) => f.name === "lang") ? "lang" : k.name;
    const field = fields.find((f) => f.name === name);
    return { name, given: field?.given ?? emptyOf(k.kind), source: field?.source ?? "", known: k };
  });
  return [...first, ...fields.filter((f) => !first.some((k) => k.name === f.name))];
}
