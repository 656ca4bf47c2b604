import "./shell/theme.ts"; // first: the colours
import { render } from "preact";
import { listen } from "./router.ts";
import { Shell } from "./shell/shell.tsx";
import { language, learn } from "./words.ts";

document.documentElement.lang = language;
await learn();
listen();
render(<Shell />, document.getElementById("app")!);
