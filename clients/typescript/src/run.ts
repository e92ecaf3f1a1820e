/** Runs a bot as a program. */

import type { Bot } from "./bot.js";
import { BotError, ConnectError, ConnectionLostError, connect } from "./session.js";
import type { Settings } from "./session.js";
import type { TlsSettings } from "./tls.js";

/** What a program's exit code says. */
export const exitCodes = {
  /** Played, and said goodbye or saw the referee close. */
  ok: 0,
  /** The connection was lost. */
  lost: 1,
  /** Wrong settings, or the referee cannot be reached. */
  usage: 2,
  /** An exception in the bot's own code. */
  crash: 70,
} as const;

/** A setting in the environment is missing or wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Plays with the settings in the environment, then ends the process with one of {@link exitCodes}.
 *
 * - `TOEP_ADDRESS`: the referee's `host:port`, or `unix:path`
 * - `TOEP_BOT`: the bot's name
 * - `TOEP_TOKEN`: optional, sent as a bearer token
 * - `TOEP_PARALLEL`: optional, how many asks the bot works on at once
 * - `TOEP_MATCHES`: optional, leave after that many matches
 * - `TOEP_RECONNECT_SECONDS`: optional, how long a bot that has lost its referee tries to get back to it
 * - `TOEP_TLS_CA`: optional, encrypt, and trust the authority in this file
 * - `TOEP_TLS`: optional, 1 encrypts with the authorities that the system trusts
 * - `TOEP_TLS_CERT`, `TOEP_TLS_KEY`: optional, the bot's own certificate
 */
export async function run(bot: Bot): Promise<never> {
  process.exit(await main(bot, process.env));
}

async function main(bot: Bot, env: NodeJS.ProcessEnv): Promise<number> {
  try {
    await connect(bot, settingsFrom(env));
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConnectError) {
      console.error(error.message);
      return exitCodes.usage;
    }
    if (error instanceof ConnectionLostError) {
      console.error(error.message);
      return exitCodes.lost;
    }
    if (error instanceof BotError) {
      console.error(`${error.message}:`);
      console.error(error.cause);
      return exitCodes.crash;
    }
    throw error;
  }
}

/**
 * Reads the settings from an environment.
 *
 * @throws UsageError naming the variable that is missing or wrong
 */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const address = env["TOEP_ADDRESS"];
  if (!address) {
    throw new UsageError("TOEP_ADDRESS is not set: give the referee's host:port, such as 127.0.0.1:50051");
  }
  if (!/^(?!unix:)\S+:\d{1,5}$|^unix:./.test(address)) {
    throw new UsageError(`TOEP_ADDRESS is "${address}": give host:port, such as 127.0.0.1:50051, or unix:path`);
  }
  const bot = env["TOEP_BOT"];
  if (!bot) {
    throw new UsageError("TOEP_BOT is not set: give the bot's name, as in the matches it is to play");
  }
  const token = env["TOEP_TOKEN"];
  if (token && !/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError("TOEP_TOKEN has spaces or characters that are not ASCII: give the token as you got it");
  }
  const parallel = count(env, "TOEP_PARALLEL");
  const matches = count(env, "TOEP_MATCHES");
  const reconnect = count(env, "TOEP_RECONNECT_SECONDS");
  const tls = tlsFrom(env);
  return {
    address,
    bot,
    ...(token ? { token } : {}),
    ...(parallel === undefined ? {} : { parallel }),
    ...(matches === undefined ? {} : { matches }),
    ...(reconnect === undefined ? {} : { reconnect }),
    ...(tls === undefined ? {} : { tls }),
  };
}

function tlsFrom(env: NodeJS.ProcessEnv): TlsSettings | undefined {
  const { TOEP_TLS: wanted, TOEP_TLS_CA: ca, TOEP_TLS_CERT: cert, TOEP_TLS_KEY: key } = env;
  if (wanted && wanted !== "0" && wanted !== "1") {
    throw new UsageError(`TOEP_TLS is "${wanted}": give 1 to encrypt, or 0`);
  }
  if (!cert !== !key) {
    throw new UsageError("TOEP_TLS_CERT and TOEP_TLS_KEY belong together: set both");
  }
  if (wanted !== "1" && !ca && !cert) {
    return undefined;
  }
  if (wanted === "0") {
    throw new UsageError("TOEP_TLS is 0, so that nothing is encrypted, but there are certificates: unset one of them");
  }
  return { ...(ca ? { ca } : {}), ...(cert && key ? { cert, key } : {}) };
}

function count(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name];
  if (!text) {
    return undefined;
  }
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`${name} is "${text}": give a number from 1 up`);
  }
  return Number(text);
}
