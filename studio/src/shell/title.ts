import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { followed, screen } from "../router.ts";
import { t } from "../words.ts";
import { byId } from "./pages.ts";

const title = signal("");

/** Names the document after the screen that calls it; else it has the name of the page. */
export function useTitle(text: string): void {
  useEffect(() => {
    title.value = text;
    return () => (title.value = "");
  }, [text]);
}

effect(() => {
  const at = screen.value;
  const name = title.value || ("id" in at && byId.value.get(at.id)?.title);
  document.title = name ? `${name} · ${t("product")}` : t("product");
});

/**
 * Gives the focus to the heading of a screen that somebody went to, as soon as it has one,
 * which is also how it is announced. Nothing happens once they use something else.
 */
export function followHeadings(main: HTMLElement): () => void {
  let seen = followed.peek();
  let watch: MutationObserver | undefined;
  const stop = () => {
    watch?.disconnect();
    watch = undefined;
    removeEventListener("keydown", stop, true);
    removeEventListener("pointerdown", stop, true);
  };
  const look = (old: Element | null) => {
    const heading = main.querySelector<HTMLElement>("h1");
    if (!heading || heading === old) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    stop();
  };
  const end = effect(() => {
    if (followed.value === seen) return;
    seen = followed.value;
    stop();
    const old = main.querySelector("h1"); // still that of the last screen
    main.scrollTop = 0;
    watch = new MutationObserver(() => look(old));
    watch.observe(main, { childList: true, subtree: true });
    addEventListener("keydown", stop, true);
    addEventListener("pointerdown", stop, true);
  });
  return () => {
    end();
    stop();
  };
}
