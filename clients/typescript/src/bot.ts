/** What the author of a bot writes. */

import type { Act } from "./acts.js";
import type { View } from "./view.js";

/** A bot: it needs nothing but an answer to every view. */
export interface Bot {
  /** The bot's own version, for people. */
  readonly version?: string;

  /** Answers an ask. May be called again before it is done when the bot works on several asks at once. */
  act(view: View): Act | Promise<Act>;
}
