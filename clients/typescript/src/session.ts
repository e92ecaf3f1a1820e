/** One stream between a bot and the referee. */

import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Client, Metadata, status } from "@grpc/grpc-js";
import type { ClientDuplexStream, StatusObject } from "@grpc/grpc-js";
import { describe } from "./acts.js";
import type { Act } from "./acts.js";
import { Again, AgainError, hintKey } from "./again.js";
import type { Bot } from "./bot.js";
import { AnswerSchema, PlayRequestSchema, RefusalCode } from "./gen/referee/v1/play_pb.js";
import type { Answer, Ask, PlayRequest, PlayResponse, Refusal, Seated } from "./gen/referee/v1/play_pb.js";
import type { TableState } from "./gen/referee/v1/table_pb.js";
import { TlsError, securedFor } from "./tls.js";
import type { Secured, TlsSettings } from "./tls.js";
import { View } from "./view.js";
import { encode, playMethod, protocol } from "./wire.js";

/** How to connect. */
export interface Settings {
  /** The referee's `host:port`. */
  readonly address: string;
  /** The bot's name, as in the matches it is to play. */
  readonly bot: string;
  /** Proves who the bot is, where the referee asks for it. */
  readonly token?: string;
  /** How many asks the bot works on at once; 1 if absent. */
  readonly parallel?: number;
  /** Leave after that many matches; without it, stay until the referee closes. */
  readonly matches?: number;
  /** For how many seconds a bot that has lost its referee tries to get back to it; not at all if absent. */
  readonly reconnect?: number;
  /** How to encrypt; nothing is encrypted if absent. */
  readonly tls?: TlsSettings;
  /** Takes lines for the bot's author, such as refusals; they go to stderr if absent. */
  readonly report?: (line: string) => void;
}

/** The referee could not be reached or did not let the bot in. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
}

/** The stream broke while there was something to play. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

/** The bot's own code failed; `cause` is what it threw. */
export class BotError extends Error {
  override readonly name = "BotError";
}

/**
 * Connects and plays until the bot has played enough matches, or the referee closes.
 *
 * A bot that a referee turns away with a hint when to come again waits that long and tries again, for a minute in all.
 * One that loses its referee dials in again for `settings.reconnect` seconds.
 *
 * @param again is for tests
 * @throws ConnectError, ConnectionLostError, BotError
 */
export async function connect(
  bot: Bot,
  settings: Settings,
  again: Again = new Again(1000 * (settings.reconnect ?? 0)),
): Promise<void> {
  const report = settings.report ?? ((line) => process.stderr.write(`${line}\n`));
  for (;;) {
    try {
      await visit(bot, { ...settings, report }, again);
      return;
    } catch (error) {
      if (!(error instanceof AgainError)) {
        throw error;
      }
      report(`${error.message}: trying again in ${(error.ms / 1000).toFixed(1)} s`);
      await again.sleep(error.ms);
    }
  }
}

/** One stream. Throws an `AgainError` when another one is worth a try. */
async function visit(bot: Bot, settings: Settings & Reporting, again: Again): Promise<void> {
  const { credentials, options } = secured(settings);
  const client = new Client(settings.address, credentials, {
    ...options,
    "grpc.enable_http_proxy": 0,
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    // Clients that are closed leave their connection, and how long it waits before it tries again, to the next one.
    "grpc.use_local_subchannel_pool": 1,
  });
  const metadata = new Metadata();
  if (settings.token !== undefined) {
    metadata.set("authorization", `Bearer ${settings.token}`);
  }
  const stream = client.makeBidiStreamRequest(
    playMethod.path,
    playMethod.requestSerialize,
    playMethod.responseDeserialize,
    metadata,
  );
  try {
    await new Session(bot, settings, stream, again).done;
  } finally {
    stream.cancel();
    client.close();
  }
}

function secured(settings: Settings): Secured {
  try {
    return securedFor(settings.address, settings.tls);
  } catch (error) {
    throw error instanceof TlsError ? new ConnectError(error.message) : error;
  }
}

/** How long the referee may take to close the stream after a goodbye. */
const goodbyeMs = 2_000;

interface Reporting {
  readonly report: (line: string) => void;
}

interface Table {
  readonly seated: Seated;
  readonly sent: Map<number, Act>;
  state?: TableState;
}

class Session {
  /** Settles when the session is over. */
  readonly done: Promise<void>;

  readonly #bot: Bot;
  readonly #settings: Settings & Reporting;
  readonly #again: Again;
  readonly #stream: ClientDuplexStream<PlayRequest, PlayResponse>;
  readonly #tables = new Map<number, Table>();
  readonly #working = new Set<Promise<void>>();
  #resolve!: () => void;
  #reject!: (reason: Error) => void;
  #welcomed = false;
  #maxAnswers = Infinity;
  #draining = false;
  #leaving = false;

  constructor(
    bot: Bot,
    settings: Settings & Reporting,
    stream: ClientDuplexStream<PlayRequest, PlayResponse>,
    again: Again,
  ) {
    this.#bot = bot;
    this.#settings = settings;
    this.#again = again;
    this.#stream = stream;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const ended = new Promise<void>((resolve) => stream.once("end", resolve));
    const closed = new Promise<StatusObject>((resolve) => stream.once("status", resolve));
    void Promise.all([closed, ended]).then(([final]) => this.#end(final));
    // The status says the same; without a listener the process would end.
    stream.on("error", () => undefined);
    stream.on("data", (response: PlayResponse) => this.#receive(response));
    this.#send({
      hello: {
        protocol,
        bot: settings.bot,
        version: bot.version ?? "",
        parallel: settings.parallel ?? 1,
        resumeToken: again.resumeToken,
      },
    });
  }

  #send(request: MessageInitShape<typeof PlayRequestSchema>): void {
    this.#stream.write(create(PlayRequestSchema, request));
  }

  /** The fields are meant in the order of their numbers. */
  #receive(response: PlayResponse): void {
    if (this.#leaving) {
      return;
    }
    const { welcome, seated, updates, asks, refusals, over, draining } = response;
    if (welcome !== undefined) {
      if (welcome.protocol !== protocol) {
        this.#reject(
          new ConnectError(
            `the referee speaks version ${welcome.protocol} of the protocol, this client ${protocol}: use a client that fits`,
          ),
        );
        return;
      }
      this.#welcomed = true;
      this.#again.welcomed(welcome.resumeToken, new Set(seated.map((each) => each.matchId)));
      this.#maxAnswers = welcome.maxAnswers || Infinity;
    }
    for (const each of seated) {
      if (!this.#tables.has(each.table)) {
        this.#tables.set(each.table, { seated: each, sent: new Map() });
      }
    }
    for (const update of updates) {
      const table = this.#tables.get(update.table);
      if (table !== undefined && update.state !== undefined) {
        table.state = update.state;
      }
    }
    for (const refusal of refusals) {
      this.#settings.report(this.#describeRefusal(refusal));
    }
    if (asks.length > 0) {
      const work = this.#answerAll(asks).catch(this.#reject);
      this.#working.add(work);
      void work.finally(() => this.#working.delete(work));
    }
    for (const match of over) {
      if (this.#tables.delete(match.table)) {
        this.#again.over++;
      }
    }
    this.#draining ||= draining !== undefined;
    this.#leaveIfDone();
  }

  async #answerAll(asks: readonly Ask[]): Promise<void> {
    const answers = await Promise.all(asks.map((ask) => this.#answer(ask)));
    const given = answers.filter((answer) => answer !== undefined);
    for (let i = 0; i < given.length; i += this.#maxAnswers) {
      this.#send({ answers: given.slice(i, i + this.#maxAnswers) });
    }
  }

  async #answer(ask: Ask): Promise<Answer | undefined> {
    const table = this.#tables.get(ask.table);
    if (table === undefined) {
      this.#settings.report(`ask ${ask.ask} of table ${ask.table} is left alone: this bot has no seat there`);
      return undefined;
    }
    const view = new View(ask, table.seated, table.state);
    if (view.legal.length === 0) {
      this.#settings.report(
        `ask ${ask.ask} of match ${view.matchId} is left alone: this client knows none of the acts it allows`,
      );
      return undefined;
    }
    try {
      const act = await this.#bot.act(view);
      const answer = create(AnswerSchema, { table: ask.table, ask: ask.ask, act: encode(act) });
      table.sent.set(ask.ask, act);
      return answer;
    } catch (cause) {
      throw new BotError(`the bot failed at ask ${ask.ask} of match ${view.matchId}`, { cause });
    }
  }

  #describeRefusal({ table, ask, code, rule, message, triesLeft }: Refusal): string {
    const known = this.#tables.get(table);
    const match = known === undefined ? `table ${table}` : `match ${known.seated.matchId}`;
    const act = known?.sent.get(ask);
    const why = rule || (RefusalCode[code] ?? `code ${code}`);
    const tries = triesLeft === 1 ? "1 try left" : `${triesLeft} tries left`;
    return `refused: ask ${ask} of ${match}, ${act ? describe(act) : "no act"}: ${why}: ${message} (${tries})`;
  }

  #leaveIfDone(): void {
    const enough = this.#again.over >= (this.#settings.matches ?? Infinity);
    const closing = this.#draining && this.#tables.size === 0;
    if (this.#leaving || !(enough || closing)) {
      return;
    }
    this.#leaving = true;
    void Promise.all(this.#working).then(() => {
      this.#send({ leave: { reason: enough ? "played enough matches" : "the referee is closing" } });
      this.#stream.end();
      const patience = setTimeout(this.#resolve, goodbyeMs);
      const calm = () => clearTimeout(patience);
      void this.done.then(calm, calm);
    });
  }

  #end({ code, details, metadata }: StatusObject): void {
    const quiet = code === status.OK && this.#tables.size === 0;
    if (this.#leaving || (this.#welcomed && quiet)) {
      this.#resolve();
    } else if (this.#welcomed) {
      const why = `the connection to the referee was lost: ${details || status[code]}`;
      const pause = code === status.UNAVAILABLE ? this.#again.lost() : undefined;
      this.#again.running = [...this.#tables.values()].map(({ seated }) => seated.matchId);
      this.#reject(pause === undefined ? new ConnectionLostError(why) : new AgainError(why, pause));
    } else {
      const why = refusedEntry(this.#settings, code, details);
      const was = this.#again.wasLost;
      const pause = this.#pause(code, metadata);
      const error = was ? new ConnectionLostError(why) : new ConnectError(why);
      this.#reject(pause === undefined ? error : new AgainError(why, pause));
    }
  }

  /** How long a bot that was not let in waits before another try, if one is worth it. */
  #pause(code: status, metadata: Metadata): number | undefined {
    if (code === status.UNAUTHENTICATED && this.#again.wrongToken()) {
      return 0;
    }
    const [hint] = metadata.get(hintKey);
    if (hint !== undefined) {
      return this.#again.turnedAway(hint.toString());
    }
    return code === status.UNAVAILABLE ? this.#again.unreachable() : undefined;
  }
}

function refusedEntry({ address, tls }: Settings, code: status, details: string): string {
  switch (code) {
    case status.UNAVAILABLE:
      if (tls !== undefined) {
        const why = details.replace(/\s+/g, " ");
        return `no referee can be reached at ${address} over TLS: start it, or correct TOEP_ADDRESS or TOEP_TLS_CA (${why})`;
      }
      return `no referee answers at ${address}: start it, or correct TOEP_ADDRESS`;
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return `the referee at ${address} does not accept the token: correct TOEP_TOKEN (${details})`;
    case status.UNIMPLEMENTED:
      return `what answers at ${address} is no toep referee: correct TOEP_ADDRESS`;
    default:
      return `the referee at ${address} did not let the bot in: ${details || status[code]}`;
  }
}
