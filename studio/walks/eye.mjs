// What looks at screens with axe, in either theme and at either width.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { picture } from "./rig.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const colours = { type: "rule", values: ["color-contrast", "link-in-text-block"] }; // all that themes change
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Looks at what is shown in each theme and width; faults are gathered, to tell all at once. */
export class Eye {
  faults = [];
  looks = 0;

  async look(page, name, widths = [1440, 390]) {
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe + ";0");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const where = `${name} ${colorScheme} ${width}`;
        await picture(page, `axe-${name}-${colorScheme}-${width}`);
        const { found, wide } = await page.evaluate(async (runOnly) => {
          const { violations } = await globalThis.axe.run(document, { runOnly, iframes: false, resultTypes: ["violations"] });
          return {
            found: violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).join(", ")}`),
            wide: document.documentElement.scrollWidth > innerWidth,
          };
        }, colorScheme === "light" ? { type: "tag", values: tags } : colours);
        this.looks++;
        this.faults.push(...found.map((f) => `${where}: ${f}`));
        if (wide) this.faults.push(`${where}: the page scrolls sideways`);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}
