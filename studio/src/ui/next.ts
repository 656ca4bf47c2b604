/**
 * Gives the focus to the row behind the one that something is in, as soon as that row is
 * gone: else to the row before it, or to the heading of the screen.
 */
export function focusNext(from: Element | null): void {
  const row = from?.closest("tr, li, article");
  const place = row?.parentElement;
  if (!row || !place) return;
  const near = [row.nextElementSibling, row.previousElementSibling];
  const watch = new MutationObserver(() => {
    if (row.isConnected) return;
    stop();
    if (document.activeElement && document.activeElement !== document.body) return;
    const inside = near.map((r) => (r?.isConnected ? r.querySelector<HTMLElement>("button, a") : null)).find((e) => !!e);
    const to = inside ?? document.querySelector<HTMLElement>("main h1");
    if (!inside) to?.setAttribute("tabindex", "-1");
    to?.focus();
  });
  const stop = () => {
    watch.disconnect();
    clearTimeout(timer);
  };
  const timer = setTimeout(stop, 10_000);
  watch.observe(document.body, { childList: true, subtree: true });
}
