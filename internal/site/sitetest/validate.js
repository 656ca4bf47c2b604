// Validates the pages of the folder that is named, by the rules of the HTML
// standard, and prints what breaks them.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HtmlValidate, StaticConfigLoader } from "html-validate";

const folder = process.argv[2];
const validator = new HtmlValidate(new StaticConfigLoader({
	root: true,
	extends: ["html-validate:standard", "html-validate:a11y"],
	rules: {
		"meta-refresh": "off", // a former address leads on at once
	},
}));

let broken = 0;
for (const name of (await readdir(folder)).sort()) {
	if (!name.endsWith(".html")) continue;
	const report = await validator.validateFile(join(folder, name));
	for (const { messages } of report.results) {
		for (const { line, column, ruleId, message } of messages) {
			console.log(`${name}:${line}:${column}: ${ruleId}: ${message}`);
			broken++;
		}
	}
}
process.exit(broken === 0 ? 0 : 1);
