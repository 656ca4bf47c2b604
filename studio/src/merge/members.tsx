import { useState } from "preact/hooks";
import { t } from "../words.ts";

/** A member of a page, such as its title or a key of its front matter, that both have changed. */
export interface MemberConflict {
  member: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

type Side = "mine" | "theirs" | "own";

/** What was decided on a member. A value is there once there is one to take. */
export interface Decision {
  side: Side;
  own: string;
}

export const show = (value: unknown): string => (value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value));

export function nameOf(member: string): string {
  return member === "title" ? t("title") : member === "slug" ? t("memberSlug") : member === "status" ? t("memberStatus") : member;
}

/** The value that was decided on. It fails where the own value is none. */
export function decided(c: MemberConflict, d: Decision): unknown {
  if (d.side !== "own") return c[d.side];
  const isText = (v: unknown) => v === undefined || v === null || typeof v === "string";
  return isText(c.mine) && isText(c.theirs) ? d.own : (JSON.parse(d.own) as unknown);
}

interface Props {
  conflict: MemberConflict;
  decision: Decision | undefined;
  labels: { mine: string; theirs: string };
  onDecide(d: Decision): void;
}

/** The choice between two values of a member and a third. */
export function MemberChoice({ conflict: c, decision, labels, onDecide }: Props) {
  const [own, setOwn] = useState(decision?.own ?? show(c.mine));
  const group = `merge-${c.member}`;
  const choice = (side: Side, label: string, value: unknown) => (
    <label>
      <input type="radio" name={group} checked={decision?.side === side} onChange={() => onDecide({ side, own })} />
      <span>{label}</span>
      {side !== "own" && <span class="merge-value">{show(value) || <em>{t("valueNone")}</em>}</span>}
    </label>
  );
  return (
    <fieldset class="merge-member">
      <legend>{nameOf(c.member)}</legend>
      <p class="merge-base">
        {t("versionBefore")}: {show(c.base) || <em>{t("valueNone")}</em>}
      </p>
      {choice("mine", labels.mine, c.mine)}
      {choice("theirs", labels.theirs, c.theirs)}
      {choice("own", t("ownValue"), own)}
      <input
        class="field"
        aria-label={`${nameOf(c.member)}: ${t("ownValue")}`}
        value={own}
        onInput={(e) => {
          setOwn(e.currentTarget.value);
          onDecide({ side: "own", own: e.currentTarget.value });
        }}
      />
    </fieldset>
  );
}
