import { useEffect, useRef, useState } from "preact/hooks";
import type { Rendered } from "../api/types.ts";
import { Frame } from "../preview/frame.ts";
import { client } from "../session.ts";
import { ChoiceField } from "../ui/form.tsx";
import { say } from "./say.ts";
import type { Site, SiteLink } from "./settings.ts";

/** A page with the settings as they are typed, before they are saved. */
export function SitePreview({ site }: { site: Site }) {
  const host = useRef<HTMLDivElement>(null);
  const [frame] = useState(() => new Frame(say("previewOfSite")));
  const [mode, setMode] = useState<"light" | "dark">("light");
  const [shown, setShown] = useState<Rendered>();
  const page = frame.page.value;
  const content = sample(site);
  useEffect(() => {
    host.current!.append(frame.element);
    return () => frame.close();
  }, []);
  useEffect(() => {
    const end = new AbortController();
    // Without an answer the last one stays: this is a look ahead, and nothing is lost.
    const timer = setTimeout(() => void client.call<Rendered>("/render", { method: "POST", body: { content }, signal: end.signal }).then((a) => setShown(a.data), () => undefined), 200);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [content]);
  useEffect(() => {
    if (shown) frame.show({ html: shown.html, headings: shown.headings, lines: content.split("\n").length, title: site.title, language: site.language });
  }, [shown, page]);
  useEffect(() => {
    if (page) dress(page, site, mode);
  }, [page, site.css, site.theme, mode]);
  return (
    <section class="admin-preview" aria-label={say("previewOfSite")}>
      <ChoiceField label={say("previewOfSite")} value={mode} onChange={setMode} choices={[{ value: "light", label: say("light") }, { value: "dark", label: say("dark") }]} />
      <div ref={host} />
    </section>
  );
}

/** Gives the document of the preview the colours and the style of the site. */
function dress(page: Document, site: Site, mode: "light" | "dark"): void {
  const root = page.documentElement;
  root.className = `oct oct-${mode}`;
  root.removeAttribute("style");
  for (const [name, value] of Object.entries(site.theme[mode])) root.style.setProperty(`--oct-${name}`, value);
  const sheet = new (page.defaultView as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(site.css);
  page.adoptedStyleSheets = [sheet];
}

const escaped = (text: string) => text.replace(/[\\`*_{}[\]<>#|!&~:]/g, "\\$&");
const line = (links: readonly SiteLink[]) => links.map((l) => `[${escaped(l.label)}](<${l.href.replace(/[<>\\]/g, "\\$&")}>)`).join(" · ");
const callouts = { info: "NOTE", warning: "WARNING", success: "TIP" } as const;

/** A page that has a bit of everything, with what the site puts around each. */
function sample(site: Site): string {
  return [
    line(site.header),
    site.banner ? `> [!${callouts[site.banner.kind]}]\n> ${escaped(site.banner.text)}` : "",
    `# ${escaped(site.title || say("sampleTitle"))}`,
    `${say("sampleText")} [${say("sampleLink")}](#sample) \`code\``,
    `> [!NOTE]\n> ${say("sampleNote")}`,
    "```sh\noctavo serve --data ./data\n```",
    `| ${say("name")} | ${say("state")} |\n| --- | --- |\n| Octavo | ${say("active")} |`,
    "---",
    line(site.footer),
    escaped(site.footerText),
  ]
    .filter(Boolean)
    .join("\n\n");
}
