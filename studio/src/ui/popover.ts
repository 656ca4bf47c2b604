const gap = 4;

/** Puts what is shown beside the button that opened it, within the window. */
export function placeBeside(over: HTMLElement, anchor: Element): void {
  const a = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = over;
  const wide = document.documentElement.clientWidth;
  const high = document.documentElement.clientHeight;
  const left = a.left + width <= wide - gap ? a.left : a.right - width;
  const top = a.bottom + gap + height <= high ? a.bottom + gap : a.top - gap - height;
  over.style.left = `${Math.max(gap, Math.min(left, wide - width - gap))}px`;
  over.style.top = `${Math.max(gap, Math.min(top, high - height - gap))}px`;
}
