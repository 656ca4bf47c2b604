import { useRef, useState } from "preact/hooks";
import { Told } from "../api/client.ts";
import { upload } from "../api/upload.ts";
import { addressOf, go } from "../router.ts";
import { newest } from "../review/read.ts";
import { client } from "../session.ts";
import { type Post, send } from "../ui/act.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog, linesOf, TextField } from "../ui/form.tsx";
import { newKey } from "../ui/key.ts";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { type Asset, nameOf } from "./assets.tsx";
import { say } from "./say.ts";

interface Props {
  of: Asset;
  onClose: () => void;
}

/** What a file shows, for those who do not see it, and how it is found. */
export function AssetForm({ of, onClose }: Props) {
  const [alt, setAlt] = useState(of.metadata?.alt ?? "");
  const [caption, setCaption] = useState(of.metadata?.caption ?? "");
  const [tags, setTags] = useState((of.metadata?.tags ?? []).join("\n"));
  const body = () => ({ alt: alt || null, caption: caption || null, tags: linesOf(tags) });
  return (
    <FormDialog title={say("describeOf", nameOf(of))} does={say("save")} onSend={() => send("PATCH", `/assets/${of.id}`, body())} onClose={onClose}>
      <TextField label={say("altText")} hint={say("altHint")} lines={2} value={alt} onChange={setAlt} max={2000} />
      <TextField label={say("caption")} value={caption} onChange={setCaption} max={2000} />
      <TextField label={say("tags")} hint={say("onePerLine")} lines={3} value={tags} onChange={setTags} />
    </FormDialog>
  );
}

interface Used {
  id: string;
  title: string;
  slug: string;
}

/** The pages that show a file or link to it. */
export function Usage({ of, onClose }: Props) {
  const list = useList<Used>(`/assets/${of.id}/pages`);
  return (
    <Dialog title={say("usageOf", nameOf(of))} onClose={onClose}>
      <Table label={say("usage")} none={say("notUsed")} list={list} keyOf={(p) => p.id} columns={[{ head: say("page"), cell: (p) => <a href={addressOf({ name: "page", id: p.id })}>{p.title || p.slug}</a> }]} />
    </Dialog>
  );
}

/** Sends another file, and proposes that the pages show it in place of this one. */
export function Replace({ of, onClose }: Props) {
  const [file, setFile] = useState<File>();
  const key = useRef(newKey()); // the same when it is tried again
  const submit = async (post: Post) => {
    if (!file) return;
    const fresh = await upload(file, { signal: new AbortController().signal, progress: () => {}, key: key.current });
    if (of.metadata) await send("PATCH", `/assets/${fresh.id}`, of.metadata);
    const users = await client.all<Used>(`/assets/${of.id}/pages`);
    const changes = [];
    for (const { id } of users) {
      const page = await newest(id);
      const content = renamed(page.content ?? "", of.url, fresh.url);
      const frontmatterRaw = renamed(page.frontmatterRaw ?? "", of.url, fresh.url);
      changes.push({ op: "update", pageId: id, baseRevision: page.number, content, ...(frontmatterRaw !== (page.frontmatterRaw ?? "") && { frontmatterRaw }) });
    }
    if (changes.length === 0) throw new Told(say("replacedUnused", nameOf(of)));
    const proposal = await post<{ id: string }>("/proposals", { title: say("replaceTitle", nameOf(of)), changes });
    go({ name: "proposal", id: proposal.id });
  };
  return (
    <FormDialog title={say("replaceOf", nameOf(of))} does={say("replace")} onSend={submit} onClose={onClose}>
      <p>{say("replaceWhat")}</p>
      <p>
        <input type="file" required aria-label={say("newFile")} onChange={(e) => ((key.current = newKey()), setFile(e.currentTarget.files?.[0]))} />
      </p>
    </FormDialog>
  );
}

/** Has a text name another file, by the whole address or from the root of the server. */
function renamed(text: string, from: string, to: string): string {
  const path = (url: string) => new URL(url).pathname;
  return text.replaceAll(from, to).replaceAll(path(from), path(to));
}
