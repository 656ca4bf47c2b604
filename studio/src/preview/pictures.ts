import { place, token } from "../session.ts";

/**
 * Shows files that readers do not see yet: those of a proposal need the token, which the
 * browser does not send for a picture. So the file is fetched, and shown from memory.
 */
export class Pictures {
  private readonly fetched = new Map<string, string>(); // addresses in memory by those of files, "" while there is none

  /** Follows the pictures of a document until the signal ends it. */
  follow(page: Document, until: AbortSignal): void {
    const onError = (e: Event) => {
      const failed = e.target as Element; // made by another document than the frame's, so of another class
      if (failed.localName === "img") void this.fetch(failed as HTMLImageElement, until);
    };
    page.addEventListener("error", onError, { capture: true, signal: until });
    until.addEventListener("abort", () => this.fetched.forEach((url) => url && URL.revokeObjectURL(url)));
  }

  /** Has a fragment that is not shown yet name what is in memory already. */
  prepare(fragment: Element): void {
    for (const picture of fragment.querySelectorAll("img")) {
      const known = this.fetched.get(picture.getAttribute("src") ?? "");
      if (known) picture.setAttribute("src", known);
    }
  }

  private async fetch(picture: HTMLImageElement, signal: AbortSignal): Promise<void> {
    const address = picture.getAttribute("src") ?? "";
    const files = new URL("files/", new URL(place.api + "/..", location.href)).href;
    if (!new URL(address, location.href).href.startsWith(files) || this.fetched.has(address)) return;
    this.fetched.set(address, "");
    try {
      const answer = await fetch(address, { headers: { Authorization: `Bearer ${await token(place)}` }, credentials: "omit", signal });
      if (!answer.ok) throw new Error(answer.statusText);
      const url = URL.createObjectURL(await answer.blob());
      this.fetched.set(address, url);
      for (const same of picture.ownerDocument.images) if (same.getAttribute("src") === address) same.src = url;
    } catch {
      this.fetched.delete(address); // the next rendering tries again
    }
  }
}
