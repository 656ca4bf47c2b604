import { nameOf, show } from "../merge/members.tsx";
import { t } from "../words.ts";
import type { FieldChange } from "./compare.ts";

/** The members of a page that differ between two of its states, side by side. */
export function FieldTable({ fields, names }: { fields: readonly FieldChange[]; names: { a: string; b: string } }) {
  if (fields.length === 0) return null;
  return (
    <table class="history-fields">
      <caption>{t("fieldsChanged")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("memberName")}</th>
          <th scope="col">{names.a}</th>
          <th scope="col">{names.b}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((f) => (
          <tr key={f.member}>
            <th scope="row">{nameOf(f.member)}</th>
            <td>{show(f.a) || <em>{t("valueNone")}</em>}</td>
            <td>{show(f.b) || <em>{t("valueNone")}</em>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
