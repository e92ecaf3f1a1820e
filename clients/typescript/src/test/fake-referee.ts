/** A referee for tests: it says what a script tells it to. */

import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Metadata, Server, ServerCredentials } from "@grpc/grpc-js";
import type { ServerDuplexStream } from "@grpc/grpc-js";
import { PlayResponseSchema } from "../gen/referee/v1/play_pb.js";
import type { PlayRequest, PlayResponse } from "../gen/referee/v1/play_pb.js";
import { playMethod } from "../wire.js";

/** The referee's side of one stream. */
export class Line {
  readonly #stream: ServerDuplexStream<PlayRequest, PlayResponse>;
  readonly #requests: AsyncIterator<PlayRequest>;

  constructor(stream: ServerDuplexStream<PlayRequest, PlayResponse>) {
    this.#stream = stream;
    this.#requests = stream[Symbol.asyncIterator]() as AsyncIterator<PlayRequest>;
  }

  get metadata(): Metadata {
    return this.#stream.metadata;
  }

  /** The next request; fails when the bot has closed its side. */
  async next(): Promise<PlayRequest> {
    const { done, value } = await this.#requests.next();
    if (done) {
      throw new Error("the bot has closed its side");
    }
    return value;
  }

  send(response: MessageInitShape<typeof PlayResponseSchema>): void {
    this.#stream.write(create(PlayResponseSchema, response));
  }

  /** Ends the stream with a status other than OK. */
  fail(code: number, details: string, trailing: Record<string, string> = {}): void {
    const metadata = new Metadata();
    for (const [key, value] of Object.entries(trailing)) {
      metadata.set(key, value);
    }
    this.#stream.emit("error", { code, details, metadata });
  }

  end(): void {
    this.#stream.end();
  }
}

/** A running fake referee. */
export interface FakeReferee {
  readonly address: string;
  /** Settles when the script has run for one stream; fails when the script fails. */
  readonly played: Promise<void>;
  stop(): void;
}

/** Starts a referee that runs the script for one stream. */
export async function fakeReferee(script: (line: Line) => Promise<void>): Promise<FakeReferee> {
  const server = new Server();
  const played = new Promise<void>((resolve, reject) => {
    server.addService(
      { play: playMethod },
      {
        play(stream: ServerDuplexStream<PlayRequest, PlayResponse>) {
          script(new Line(stream)).then(resolve, (error: unknown) => {
            stream.end();
            reject(error);
          });
        },
      },
    );
  });
  played.catch(() => undefined);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, played, stop: () => server.forceShutdown() };
}
