import "./shell/theme.ts"; // first: the colours
import { render } from "preact";
import { listen } from "./router.ts";
import { Shell } from "./shell/shell.tsx";
import { language } from "./words.ts";

document.documentElement.lang = language;
listen();
render(<Shell />, document.getElementById("app")!);
