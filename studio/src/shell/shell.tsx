import { screen } from "../router.ts";
import { place, session } from "../session.ts";
import { PageScreen } from "../page/screen.tsx";
import { t } from "../words.ts";
import { Tree } from "./tree.tsx";

/** The frame around every screen: the tree at the side, the screen beside it. */
export function Shell() {
  if (session.value === undefined) return <p class="loading">{t("loading")}</p>;
  if (session.value === null) return <SignIn />;
  const at = screen.value;
  return (
    <div class="shell">
      <nav class="side" aria-label={t("pages")}>
        <Tree />
      </nav>
      <main class="screen">{at.name === "page" && <PageScreen key={at.id} id={at.id} />}</main>
    </div>
  );
}

function SignIn() {
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <main class="sign-in">
      <h1>Octavo Studio</h1>
      <p>
        <a class="button primary" href={`${place.root}/login?next=${next}`}>
          {t("signIn")}
        </a>
      </p>
    </main>
  );
}
