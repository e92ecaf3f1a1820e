/** The wire: the `Play` method for grpc-js, and acts as the referee reads them. */

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MethodDefinition } from "@grpc/grpc-js";
import type { Act, ActKind, Reach, Sign } from "./acts.js";
import { ActKind as WireActKind, PassUntil, Sign as WireSign } from "./gen/referee/v1/acts_pb.js";
import type { AnswerSchema } from "./gen/referee/v1/play_pb.js";
import { PlayRequestSchema, PlayResponseSchema } from "./gen/referee/v1/play_pb.js";
import type { PlayRequest, PlayResponse } from "./gen/referee/v1/play_pb.js";
import { RefereeService } from "./gen/referee/v1/referee_service_pb.js";

/** The version of the protocol that this client speaks. */
export const protocol = 1;

/** The definition of `Play`, for clients and servers. */
export const playMethod: MethodDefinition<PlayRequest, PlayResponse> = {
  path: `/${RefereeService.typeName}/${RefereeService.method.play.name}`,
  requestStream: true,
  responseStream: true,
  requestSerialize: (message) => Buffer.from(toBinary(PlayRequestSchema, message)),
  requestDeserialize: (bytes) => fromBinary(PlayRequestSchema, bytes),
  responseSerialize: (message) => Buffer.from(toBinary(PlayResponseSchema, message)),
  responseDeserialize: (bytes) => fromBinary(PlayResponseSchema, bytes),
};

const reaches: Record<Reach, PassUntil> = {
  window: PassUntil.UNSPECIFIED,
  trick: PassUntil.TRICK,
  round: PassUntil.ROUND,
};

const signs: Record<Sign, WireSign> = {
  whistle: WireSign.WHISTLE,
  sing: WireSign.SING,
  stand: WireSign.STAND,
};

const kinds: Record<ActKind, WireActKind> = {
  pass: WireActKind.PASS,
  cut: WireActKind.CUT,
  blind: WireActKind.BLIND,
  peek: WireActKind.PEEK,
  chance: WireActKind.CHANCE,
  exchange: WireActKind.EXCHANGE,
  challenge: WireActKind.CHALLENGE,
  signal: WireActKind.SIGNAL,
  toep: WireActKind.TOEP,
  stay: WireActKind.STAY,
  fold: WireActKind.FOLD,
  play: WireActKind.PLAY,
  discard: WireActKind.DISCARD,
  confess: WireActKind.CONFESS,
  resign: WireActKind.RESIGN,
};

/** Whether an ask's `may` has the bit of that kind of act. */
export function flagged(may: number, kind: ActKind): boolean {
  return ((may >>> kinds[kind]) & 1) === 1;
}

/**
 * The act as the `act` field of an answer.
 *
 * @throws TypeError when the value is no act
 */
export function encode(act: Act): NonNullable<MessageInitShape<typeof AnswerSchema>["act"]> {
  switch (act.kind) {
    case "pass":
      return { case: "decline", value: { until: reaches[act.until] } };
    case "cut":
      return { case: "cut", value: { at: act.at } };
    case "signal":
      return { case: "signal", value: { sign: signs[act.sign] } };
    case "play":
      return { case: "play", value: { card: act.card.index + 1 } };
    case "discard":
      return { case: "discard", value: { cards: act.cards.map((card) => card.index + 1) } };
    case "blind":
    case "peek":
    case "chance":
    case "exchange":
    case "challenge":
    case "toep":
    case "stay":
    case "fold":
    case "confess":
    case "resign":
      return { case: act.kind, value: {} };
    default:
      throw new TypeError(`not an act: ${JSON.stringify(act)}`);
  }
}
