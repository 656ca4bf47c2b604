import { useState } from "preact/hooks";
import type { Page } from "../api/types.ts";
import { go } from "../router.ts";
import { pages } from "../shell/pages.ts";
import type { Post } from "../ui/act.ts";
import { ChoiceField, FormDialog, TextField } from "../ui/form.tsx";
import { t } from "../words.ts";
import { headings } from "./headings.ts";

export type Kind = "rename" | "split" | "join";

/** Asks what is to become of a page, and proposes that, with the links of all others. */
export function Refactor({ kind, page, onClose }: { kind: Kind; page: Page; onClose: () => void }) {
  const [title, setTitle] = useState(kind === "rename" ? page.title : "");
  const [slug, setSlug] = useState(kind === "rename" ? page.slug : "");
  const parts = headings(page.content);
  const [line, setLine] = useState(String(parts[0]?.line ?? ""));
  const others = pages.value.filter((p) => p.id !== page.id);
  const [other, setOther] = useState(others[0]?.id ?? "");
  const body = {
    rename: { title, slug },
    split: { line: Number(line), ...(title && { title }), ...(slug && { slug }) },
    join: { with: other },
  }[kind];
  const propose = async (post: Post) => {
    const { id } = await post<{ id: string }>("/proposals/refactor", { kind, pageId: page.id, ...body });
    go({ name: "proposal", id });
  };
  return (
    <FormDialog title={t(`${kind}Page`)} does={t("propose")} onSend={propose} onClose={onClose}>
      <p>{t(`${kind}What`)}</p>
      {kind === "split" && <ChoiceField label={t("splitAt")} value={line} onChange={setLine} choices={parts.map((p) => ({ value: String(p.line), label: p.text }))} />}
      {kind === "join" && <ChoiceField label={t("joinWith")} value={other} onChange={setOther} choices={others.map((p) => ({ value: p.id, label: `${p.title} (${p.slug})` }))} />}
      {kind !== "join" && <TextField label={t("title")} value={title} onChange={setTitle} required={kind === "rename"} max={120} />}
      {kind !== "join" && <TextField label={t("memberSlug")} value={slug} onChange={setSlug} required={kind === "rename"} max={512} />}
    </FormDialog>
  );
}
