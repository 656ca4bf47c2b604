import type { ComponentChildren } from "preact";

/** What a part is for, and what can be done in it. */
export function Intro({ what, children }: { what: string; children?: ComponentChildren }) {
  return (
    <div class="admin-intro">
      <p class="muted">{what}</p>
      {children && <p class="row">{children}</p>}
    </div>
  );
}
