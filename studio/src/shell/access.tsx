import { useState } from "preact/hooks";
import { addressOf } from "../router.ts";
import { place, session, signOut, token } from "../session.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { useTitle } from "./title.ts";

const loginTo = (next: string) => `${place.root}/login?next=${encodeURIComponent(next)}`;

/** What whoever is not signed in sees. It leads back to the address they came to. */
export function SignIn() {
  useTitle(t("signIn"));
  return (
    <main class="sign-in">
      <h1>{t("product")}</h1>
      <p>{t("signInWhat")}</p>
      <p class="row">
        <a class="button primary" href={loginTo(location.pathname + location.search)}>
          {t("signIn")}
        </a>
        {place.site && (
          <a class="button" href={place.site}>
            {t("readSite")}
          </a>
        )}
      </p>
    </main>
  );
}

/** Above a screen that stays as it is, while the session has ended. */
export function SignedOutBar() {
  return (
    <div class="bar warn" role="alert">
      <span>{t("signedOutBar")}</span>
      <a class="button primary" href={loginTo(addressOf({ name: "back" }))} target="_blank" rel="noopener">
        {t("signIn")}
      </a>
    </div>
  );
}

/** The tab in which somebody has signed in for another one. */
export function BackScreen() {
  useTitle(t("backTitle"));
  return (
    <div class="page-width">
      <h1>{t("backTitle")}</h1>
      <p>{t("backWhat")}</p>
      <p>
        <a class="button" href={addressOf({ name: "home" })}>
          {t("openStudio")}
        </a>
      </p>
    </div>
  );
}

/** While it is not known who is signed in: the server has not answered, or not at all. */
export function Starting({ fault, onRetry }: { fault: unknown; onRetry: () => void }) {
  useTitle("");
  if (fault === undefined) return <p class="loading">{t("loading")}</p>;
  return (
    <main class="sign-in">
      <h1>{t("product")}</h1>
      <ProblemNote problem={fault} retry={onRetry} />
    </main>
  );
}

/** Asks who is signed in; session.value tells. What fails otherwise is returned. */
export function useStart(): [fault: unknown, start: () => void] {
  const [fault, setFault] = useState<unknown>();
  const start = () => {
    setFault(undefined);
    token(place).catch((e: unknown) => session.peek() === undefined && setFault(e));
  };
  return [fault, start];
}

/** Ends the session and shows the screen for signing in; this document is gone with it. */
export async function leave(): Promise<void> {
  await signOut(place);
  location.assign(addressOf({ name: "home" }));
}
