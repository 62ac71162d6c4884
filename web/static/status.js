// The page for everybody: on the wall, on a tablet beside the table, on a spectator's phone.

import { Chart } from "./chart.js";
import { byId } from "./dom.js";
import { start } from "./frame.js";
import { readRules } from "./rules_browser.js";
import { hangOnTheWall } from "./wall.js";

hangOnTheWall();
readRules(byId("rules-here"));
const chart = new Chart(byId("chart"));
start((page) => chart.show(page));
