import { render } from "preact";
import { listen } from "./router.ts";
import { place, session, token } from "./session.ts";
import { Shell } from "./shell/shell.tsx";

listen();
render(<Shell />, document.getElementById("app")!);
token(place).catch(() => {
  if (session.value === undefined) session.value = null;
});
