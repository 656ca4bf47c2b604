// All that Studio says in German, loaded before anything is shown to whoever prefers it.

import * as admin from "./de/admin.ts";
import * as common from "./de/common.ts";
import * as editor from "./de/editor.ts";
import * as history from "./de/history.ts";
import * as matter from "./de/matter.ts";
import * as page from "./de/page.ts";
import * as preview from "./de/preview.ts";
import * as review from "./de/review.ts";
import * as shell from "./de/shell.ts";
import * as tools from "./de/tools.ts";

export const areas = {
  shell: { ...common.de, ...editor.de, ...history.de, ...matter.de, ...page.de, ...preview.de, ...shell.de },
  admin: admin.de,
  review: review.de,
  tools: tools.de,
};
