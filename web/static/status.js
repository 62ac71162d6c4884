// The page on the wall, for everybody.

import { start } from "./frame.js";

start();
