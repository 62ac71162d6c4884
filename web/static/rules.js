// The rules on a page of their own.

import { byId } from "./dom.js";
import { browse } from "./rules_browser.js";

browse(byId("browser"));
