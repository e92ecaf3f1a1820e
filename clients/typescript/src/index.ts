/** Write a bot for the Toepen referee: implement {@link Bot} and hand it to {@link run}. */

export * from "./acts.js";
export * from "./bot.js";
export * from "./cards.js";
export * from "./run.js";
export * from "./session.js";
export type { TlsSettings } from "./tls.js";
export * from "./view.js";
