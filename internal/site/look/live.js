// The script of a live site beside site.js.
"use strict";
