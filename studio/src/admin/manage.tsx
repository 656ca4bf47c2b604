import type { ComponentType } from "preact";
import { addressOf } from "../router.ts";
import { may, place } from "../session.ts";
import { useTitle } from "../shell/title.ts";
import { t } from "../words.ts";
import { Activity } from "./activity.tsx";
import { Applications } from "./applications.tsx";
import { Assets } from "./assets.tsx";
import { Audit } from "./audit.tsx";
import { Deleted } from "./deleted.tsx";
import { Exports } from "./exports.tsx";
import { Feedback } from "./feedback.tsx";
import { Health } from "./health.tsx";
import { Keys } from "./keys.tsx";
import { Links } from "./links.tsx";
import { allowed, isPart, type Part, parts } from "./parts.ts";
import { People } from "./people.tsx";
import { Queries } from "./queries.tsx";
import { Redirects } from "./redirects.tsx";
import { say } from "./say.ts";
import { SiteSettings } from "./site.tsx";
import { Webhooks } from "./webhooks.tsx";

const shown: Record<Part, ComponentType> = {
  activity: Activity,
  assets: Assets,
  links: Links,
  deleted: Deleted,
  exports: Exports,
  redirects: Redirects,
  feedback: Feedback,
  queries: Queries,
  site: SiteSettings,
  people: People,
  keys: Keys,
  applications: Applications,
  webhooks: Webhooks,
  audit: Audit,
  health: Health,
};

/** The screens for those who run the site, with a list of them. */
export function AdminScreen({ id }: { id: string }) {
  const mine = allowed();
  const part = id === "" ? mine[0] : isPart(id) ? id : undefined;
  const title = part ? t(parts[part].title) : t("manage");
  useTitle(title);
  const Shown = part && mine.includes(part) ? shown[part] : undefined;
  return (
    <div class="admin">
      <nav class="admin-parts" aria-label={t("manage")}>
        <ul>
          {mine.map((p) => (
            <li key={p}>
              <a href={addressOf({ name: "admin", id: p })} aria-current={p === part ? "page" : undefined}>
                {t(parts[p].title)}
              </a>
            </li>
          ))}
          {may("pages:write") && (
            <li>
              <a href={addressOf({ name: "imports", id: "" })}>{t("importFiles")}</a>
            </li>
          )}
        </ul>
      </nav>
      <div class="admin-part">
        <h1>{title}</h1>
        {Shown ? <Shown key={part} /> : <NotAllowed part={part} />}
      </div>
    </div>
  );
}

/** What somebody may not see, or may only after they have signed in again. */
function NotAllowed({ part }: { part: Part | undefined }) {
  if (!part) return <p>{t("noSuchScreenWhat")}</p>;
  return (
    <>
      <p>{parts[part].scope === "admin" ? say("adminsOnly") : t("notAllowed")}</p>
      {parts[part].scope === "admin" && (
        <p>
          <a class="button" href={`${place.root}/login?next=${encodeURIComponent(location.pathname)}`}>
            {say("signInAgain")}
          </a>
        </p>
      )}
    </>
  );
}
