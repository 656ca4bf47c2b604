import { useRef, useState } from "preact/hooks";
import type { Asset as Base } from "../api/types.ts";
import { When } from "../history/when.tsx";
import { may } from "../session.ts";
import { useAct } from "../ui/act.ts";
import { CheckField, ChoiceField, RemoveDialog } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useList } from "../ui/list.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { Menu } from "../ui/menu.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { Table } from "../ui/table.tsx";
import { t } from "../words.ts";
import { AssetForm, Replace, Usage } from "./asset.tsx";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";
import { bytes } from "./size.ts";
import { Sending, useUploads } from "./uploads.tsx";

export interface Asset extends Base {
  metadata?: { alt?: string; caption?: string; tags?: string[] };
  createdAt?: string;
  references?: string[];
}

const kinds = { all: "", pictures: "image/*", videos: "video/*", documents: "application/*" } as const;
type Kind = keyof typeof kinds;
type Asked = { what: "edit" | "usage" | "replace" | "remove"; of: Asset };

export const nameOf = (a: Asset): string => a.name || a.id;

/** The files of all pages: what they are, where they are used, and sending more. */
export function Assets() {
  const [kind, setKind] = useState<Kind>("all");
  const [unused, setUnused] = useState(false);
  const [grid, setGrid] = useState(true);
  const [asked, setAsked] = useState<Asked>();
  const query = new URLSearchParams({ ...(kinds[kind] && { contentType: kinds[kind] }), ...(unused && { unused: "true" }) }).toString();
  const list = useList<Asset>(`/assets${query && "?" + query}`);
  const uploads = useUploads(list.again);
  const act = useAct();
  const input = useRef<HTMLInputElement>(null);
  const close = () => (setAsked(undefined), list.again());
  const mayChange = (a: Asset) => may("pages:write") || a.pending;
  const menu = (a: Asset): MenuItem[] => [
    { label: say("open"), icon: "eye", href: a.url, external: true },
    { label: say("copyAddress"), icon: "link", run: () => void act.run(() => navigator.clipboard.writeText(a.url)) },
    { label: say("usage"), icon: "page", run: () => setAsked({ what: "usage", of: a }) },
    ...(mayChange(a) ? [{ label: say("describe"), icon: "draft" as const, run: () => setAsked({ what: "edit", of: a }) }] : []),
    { label: say("replace"), icon: "upload", run: () => setAsked({ what: "replace", of: a }) },
    ...(mayChange(a) ? [{ label: t("remove"), icon: "trash" as const, danger: true, run: () => setAsked({ what: "remove", of: a }) }] : []),
  ];
  return (
    <div
      class="admin-drop"
      onDragOver={(e) => e.preventDefault()}
      onDrop={(e) => {
        e.preventDefault();
        uploads.add([...(e.dataTransfer?.files ?? [])]);
      }}
    >
      <Intro what={say("assetsWhat")}>
        <button type="button" class="button primary" onClick={() => input.current!.click()}>
          <Icon name="upload" />
          {say("uploadFiles")}
        </button>
        <button type="button" class="button" aria-pressed={!grid} onClick={() => setGrid(!grid)}>
          <Icon name={grid ? "list" : "image"} />
          {say(grid ? "asList" : "asGrid")}
        </button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={say("uploadFiles")}
          onChange={(e) => {
            uploads.add([...(e.currentTarget.files ?? [])]);
            e.currentTarget.value = "";
          }}
        />
      </Intro>
      <Sending of={uploads} />
      <div class="admin-filter">
        <ChoiceField label={say("kind")} value={kind} onChange={setKind} choices={(Object.keys(kinds) as Kind[]).map((value) => ({ value, label: say(value) }))} />
        <CheckField label={say("unusedOnly")} value={unused} onChange={setUnused} />
      </div>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      {grid ? (
        <Table
          label={say("assets")}
          none={say("noAssets")}
          list={list}
          keyOf={(a) => a.id}
          cards={(a) => <Card of={a} menu={menu(a)} />}
          columns={[]}
        />
      ) : (
        <Table
          label={say("assets")}
          none={say("noAssets")}
          list={list}
          keyOf={(a) => a.id}
          name={nameOf}
          menu={menu}
          columns={[
            { head: say("name"), cell: (a) => <bdi class="admin-line">{nameOf(a)}</bdi> },
            { head: say("type"), cell: (a) => a.contentType },
            { head: say("size"), cell: (a) => bytes(a.size) },
            { head: say("altText"), cell: (a) => a.metadata?.alt },
            { head: say("tags"), cell: (a) => a.metadata?.tags?.join(", ") },
            { head: say("when"), cell: (a) => a.createdAt && <When at={a.createdAt} now={Date.now()} /> },
          ]}
        />
      )}
      {asked?.what === "edit" && <AssetForm of={asked.of} onClose={close} />}
      {asked?.what === "usage" && <Usage of={asked.of} onClose={() => setAsked(undefined)} />}
      {asked?.what === "replace" && <Replace of={asked.of} onClose={close} />}
      {asked?.what === "remove" && <RemoveDialog name={nameOf(asked.of)} what={say("removeAssetWhat")} path={`/assets/${asked.of.id}`} onClose={close} />}
    </div>
  );
}

function Card({ of: a, menu }: { of: Asset; menu: MenuItem[] }) {
  const picture = a.contentType.startsWith("image/") && !a.pending;
  return (
    <>
      <div class="admin-thumb">{picture ? <img src={a.url} alt={a.metadata?.alt ?? ""} loading="lazy" decoding="async" width={a.width} height={a.height} /> : <Icon name={a.contentType.startsWith("image/") ? "image" : "page"} />}</div>
      <div class="admin-card-foot">
        <span class="admin-card-name">
          <bdi>{nameOf(a)}</bdi>
          <span class="small muted">
            {bytes(a.size)} {a.pending && <span class="badge warn">{say("pending")}</span>}
          </span>
        </span>
        <Menu label={t("rowActionsOf", nameOf(a))} icon="more" items={menu} />
      </div>
    </>
  );
}
