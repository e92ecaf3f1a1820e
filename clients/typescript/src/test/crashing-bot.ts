/** A bot whose own code fails. */

import { run } from "../index.js";

await run({
  act() {
    throw new Error("I lost count");
  },
});
