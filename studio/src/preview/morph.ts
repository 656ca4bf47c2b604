/** Makes an element like a fresh one. What is the same stays, so that pictures do not flash. */
export function morph(old: Element, fresh: Element): void {
  attributes(old, fresh);
  const here = [...old.childNodes];
  const coming = [...fresh.childNodes];
  let from = 0;
  while (from < Math.min(here.length, coming.length) && here[from]!.isEqualNode(coming[from]!)) from++;
  let same = 0; // at the end
  while (same < Math.min(here.length, coming.length) - from && here[here.length - 1 - same]!.isEqualNode(coming[coming.length - 1 - same]!)) same++;
  const rest = here[here.length - same] ?? null;
  for (let i = from; i < Math.max(here.length, coming.length) - same; i++) {
    const a = i < here.length - same ? here[i]! : undefined;
    const b = i < coming.length - same ? coming[i]! : undefined;
    if (!b) a!.remove();
    else if (!a) old.insertBefore(b, rest);
    else if (a.nodeType === Node.ELEMENT_NODE && a.nodeName === b.nodeName) morph(a as Element, b as Element);
    else a.replaceWith(b);
  }
}

function attributes(old: Element, fresh: Element): void {
  const mine = (name: string) => name === "open" && old.localName === "details"; // whoever looks has opened it
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !mine(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !mine(name)) old.setAttribute(name, value);
}
