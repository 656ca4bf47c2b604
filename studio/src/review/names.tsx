import { useState } from "preact/hooks";
import { FormDialog, TextField } from "../ui/form.tsx";
import { t } from "../words.ts";
import { putChange, type Texts } from "./read.ts";
import { say } from "./say.ts";

/** Asks for another title and address of the page that a change is about. */
export function Names({ proposal, texts, onDone, onClose }: { proposal: string; texts: Texts; onDone: () => void; onClose: () => void }) {
  const { change, before } = texts;
  const [title, setTitle] = useState(change.title ?? before?.title ?? "");
  const [slug, setSlug] = useState(change.slug ?? before?.slug ?? "");
  const send = async () => {
    await putChange(proposal, texts, { title, slug });
    onDone();
  };
  return (
    <FormDialog title={say("editNames")} does={say("saveText")} onSend={send} onClose={onClose}>
      <TextField label={t("title")} value={title} onChange={setTitle} required max={120} />
      <TextField label={t("memberSlug")} value={slug} onChange={setSlug} required max={512} />
    </FormDialog>
  );
}
