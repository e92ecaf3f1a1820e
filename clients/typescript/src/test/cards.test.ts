import assert from "node:assert/strict";
import { test } from "node:test";
import { card, cardAt, cardsIn, maskOf, pack } from "../cards.js";
import type { CardName } from "../cards.js";
import { Card as WireCard, CardSchema } from "../gen/referee/v1/cards_pb.js";

test("the pack agrees with the cards of the wire", () => {
  const wire = CardSchema.values.filter(({ number }) => number !== WireCard.CARD_UNSPECIFIED);
  assert.deepEqual(
    wire.map(({ name, number }) => [name, number]),
    pack.map(({ name, index }) => [`CARD_${name.toUpperCase()}`, index + 1]),
  );
});

test("names and indexes lead to the same cards", () => {
  for (const each of pack) {
    assert.equal(card(each.name), each);
    assert.equal(cardAt(each.index), each);
  }
  assert.throws(() => card("1x" as CardName), RangeError);
  assert.throws(() => cardAt(32), RangeError);
});

test("height follows the order of the game", () => {
  const hearts = pack.filter(({ suit }) => suit === "h");
  assert.equal(
    hearts
      .sort((a, b) => a.height - b.height)
      .map(({ rank }) => rank)
      .join(""),
    "JQKA789T",
  );
});

test("masks are unsigned and go there and back", () => {
  assert.equal(maskOf([card("Jc")]), 1);
  assert.equal(maskOf([card("Th")]), 0x8000_0000);
  assert.equal(maskOf(pack), 0xffff_ffff);
  assert.equal(maskOf([]), 0);
  assert.deepEqual(cardsIn(0xffff_ffff), pack);
  assert.deepEqual(cardsIn(0), []);
  for (const each of pack) {
    assert.deepEqual(cardsIn(maskOf([each])), [each]);
  }
  assert.deepEqual(cardsIn(maskOf([card("Th"), card("7d")])), [card("7d"), card("Th")]);
});
