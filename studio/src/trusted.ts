/** The one way to markup: what the server has rendered, for the sandboxed frame alone. */
export const trusted = trustedTypes().createPolicy("octavo", { createHTML: (markup) => markup });

interface Policies {
  createPolicy(name: string, rules: { createHTML: (markup: string) => string }): { createHTML(markup: string): string };
}

/** Not every browser has Trusted Types: those without take a string. */
function trustedTypes(): Policies {
  return (globalThis as { trustedTypes?: Policies }).trustedTypes ?? { createPolicy: (_, rules) => rules };
}
