import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, Told } from "../api/client.ts";
import { client, place } from "../session.ts";
import { pages } from "../shell/pages.ts";
import { useAct } from "../ui/act.ts";
import { CheckField, ChoiceField, TextField } from "../ui/form.tsx";
import { useGuard } from "../ui/guard.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { Colours } from "./colours.tsx";
import { Intro } from "./intro.tsx";
import { FileField } from "./picture.tsx";
import { SitePreview } from "./preview.tsx";
import { say } from "./say.ts";
import { bannerKinds, linesOfLinks, linksOfLines, type Site } from "./settings.ts";

/** What the site for readers says and looks like. */
export function SiteSettings() {
  const [kept, setKept] = useState<{ site: Site; etag: string }>();
  const [site, setSite] = useState<Site>();
  const [turn, setTurn] = useState(0);
  const [fault, setFault] = useState<unknown>();
  useEffect(() => {
    const end = new AbortController();
    setFault(undefined);
    client.call<Site>("/site", { signal: end.signal }).then(
      ({ data, etag }) => {
        setKept({ site: data, etag });
        setSite(data);
      },
      (e: unknown) => end.signal.aborted || setFault(e),
    );
    return () => end.abort();
  }, [turn]);
  if (!site || !kept) return fault !== undefined ? <ProblemNote problem={fault} retry={() => setTurn(turn + 1)} /> : <p class="muted">{t("loading")}</p>;
  return <Form kept={kept.site} etag={kept.etag} site={site} onChange={setSite} onSaved={(site, etag) => (setKept({ site, etag }), setSite(site))}
      onNewer={(newer, etag, mine) => (setKept({ site: newer, etag }), setSite({ ...newer, ...(mine as Partial<Site>), ...("theme" in mine && { theme: site.theme }) }))}
    />;
}

interface Props {
  kept: Site;
  etag: string;
  site: Site;
  onChange: (site: Site) => void;
  onSaved: (site: Site, etag: string) => void;
  onNewer: (site: Site, etag: string, mine: object) => void; // somebody else has saved meanwhile
}

/** The members that differ, whole: the server merges objects, so what was taken out is null. */
function changed(kept: Site, site: Site): Partial<Record<keyof Site, unknown>> {
  const out: Partial<Record<keyof Site, unknown>> = {};
  for (const name of Object.keys(site) as (keyof Site)[]) if (JSON.stringify(site[name]) !== JSON.stringify(kept[name])) out[name] = site[name];
  if (out.theme) out.theme = { light: without(kept.theme.light, site.theme.light), dark: without(kept.theme.dark, site.theme.dark) };
  return out;
}

const without = (before: Record<string, string>, after: Record<string, string>) => ({ ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...after });

function Form({ kept, etag, site, onChange, onSaved, onNewer }: Props) {
  const act = useAct();
  const latest = useRef(site); // what takes a while, such as an upload, changes what is there by then
  latest.current = site;
  const set = <N extends keyof Site>(name: N) => (value: Site[N]) => onChange((latest.current = { ...latest.current, [name]: value }));
  const body = changed(kept, site);
  const dirty = Object.keys(body).length > 0;
  useGuard(dirty);
  const save = () =>
    act.run(async () => {
      try {
        const { data, etag: next } = await client.call<Site>("/site", { method: "PATCH", body, ifMatch: etag });
        onSaved(data, next);
      } catch (e) {
        if (e instanceof Problem && e.status === 412) {
          const { data, etag: next } = await client.call<Site>("/site");
          onNewer(data, next, body);
          throw new Told(say("siteChanged"));
        }
        throw e;
      }
    });
  return (
    <>
      <Intro what={say("siteWhat")}>
        {place.site && (
          <a class="button" href={place.site}>
            {t("readSite")}
          </a>
        )}
      </Intro>
      <div class="admin-site">
        <form
          class="admin-form"
          inert={act.busy}
          onSubmit={(e) => {
            e.preventDefault();
            void save();
          }}
        >
          <h2>{say("general")}</h2>
          <TextField label={t("title")} value={site.title} onChange={set("title")} max={200} />
          <TextField label={say("description")} hint={say("siteDescriptionHint")} lines={2} value={site.description} onChange={set("description")} />
          <TextField label={say("language")} hint={say("languageHint")} value={site.language} onChange={set("language")} max={35} />
          <ChoiceField label={say("home")} hint={say("homeHint")} value={site.home ?? ""} onChange={(v) => set("home")(v || null)} choices={homes(site.home)} />
          <h2>{say("look")}</h2>
          <FileField label={say("logoLight")} value={site.logo.light} onChange={(light) => set("logo")({ ...site.logo, light })} />
          <FileField label={say("logoDark")} value={site.logo.dark} onChange={(dark) => set("logo")({ ...site.logo, dark })} />
          <FileField label={say("favicon")} value={site.favicon} onChange={set("favicon")} />
          <Colours theme={site.theme} onChange={set("theme")} />
          <TextField label={say("css")} hint={say("cssHint")} lines={5} value={site.css} onChange={set("css")} max={100_000} />
          <h2>{say("around")}</h2>
          <LinksField label={say("headerLinks")} value={site.header} onChange={set("header")} />
          <LinksField label={say("footerLinks")} value={site.footer} onChange={set("footer")} />
          <TextField label={say("footerText")} value={site.footerText} onChange={set("footerText")} max={1000} />
          <TextField label={say("bannerText")} hint={say("bannerHint")} value={site.banner?.text ?? ""} onChange={(text) => set("banner")(text ? { href: "", kind: "info", ...site.banner, text } : null)} max={1000} />
          {site.banner && (
            <>
              <TextField label={say("bannerHref")} value={site.banner.href} onChange={(href) => set("banner")({ ...site.banner!, href })} />
              <ChoiceField label={say("bannerKind")} value={site.banner.kind} onChange={(kind) => set("banner")({ ...site.banner!, kind })} choices={bannerKinds.map((value) => ({ value, label: value }))} />
            </>
          )}
          <h2>{say("readers")}</h2>
          <CheckField label={say("indexed")} hint={say("indexedHint")} value={site.robots === "index"} onChange={(on) => set("robots")(on ? "index" : "noindex")} />
          <CheckField label={say("source")} value={site.source} onChange={set("source")} />
          <CheckField label={say("remoteImages")} hint={say("remoteImagesHint")} value={site.remoteImages === "load"} onChange={(on) => set("remoteImages")(on ? "load" : "link")} />
          <CheckField label={say("askFeedback")} value={site.feedback} onChange={set("feedback")} />
          <CheckField label={say("suggestions")} hint={say("suggestionsHint")} value={site.suggestions} onChange={set("suggestions")} />
          <h2>{say("review")}</h2>
          <TextField label={say("approvals")} hint={say("approvalsHint")} type="number" value={String(site.review.approvals)} onChange={(v) => set("review")({ ...site.review, approvals: Math.max(0, Math.trunc(Number(v) || 0)) })} />
          <CheckField label={say("upToDateOnly")} hint={say("upToDateHint")} value={site.review.upToDate} onChange={(upToDate) => set("review")({ ...site.review, upToDate })} />
          {act.fault !== undefined && <ProblemNote problem={act.fault} />}
          <p class="row admin-save">
            <button class="button primary" disabled={act.busy || !dirty}>
              {say("save")}
            </button>
            <button type="button" class="button" disabled={!dirty} onClick={() => onChange(kept)}>
              {t("discard")}
            </button>
            <span role="status" class="muted">
              {dirty ? say("notSaved") : t("saved")}
            </span>
          </p>
        </form>
        <SitePreview site={site} />
      </div>
    </>
  );
}

/** The pages that may be the first: those without a parent, and the one that is. */
function homes(present: string | null) {
  const offered = pages.value.filter((p) => p.parentId === null || p.id === present).map((p) => ({ value: p.id, label: p.title || p.slug }));
  return [{ value: "", label: say("firstRoot") }, ...offered];
}

/** Links, one on a line. What was typed stays as it is until it means something else. */
function LinksField({ label, value, onChange }: { label: string; value: Site["header"]; onChange: (links: Site["header"]) => void }) {
  const [typed, setTyped] = useState(linesOfLinks(value));
  const shown = JSON.stringify(linksOfLines(typed)) === JSON.stringify(value) ? typed : linesOfLinks(value);
  return (
    <TextField
      label={label}
      hint={say("linksHint")}
      lines={3}
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(linksOfLines(text));
      }}
    />
  );
}
