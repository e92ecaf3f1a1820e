/** A small bot that plays sensibly: it saves its best card for the last trick, since nothing else counts. */

import { challenge, chance, discard, exchange, fold, pass, play, run, stay, toep } from "../index.js";
import type { Act, Bot, Card, View } from "../index.js";

const bot: Bot = {
  version: "simple 1",

  act(view: View): Act {
    switch (view.kind) {
      case "answer":
        return answer(view);
      case "discard":
        return discard(byHeight(view.hand).slice(0, 3));
      case "exchange":
        return view.may("exchange") && view.hand.every(isPicture) ? exchange() : pass();
      case "check":
        return view.may("challenge") && view.random() < 0.15 ? challenge() : pass();
      case "chance":
        return view.may("chance") ? chance() : pass();
      default:
        return view.may("toep") && wantsToep(view) ? toep() : cardOrPass(view);
    }
  },
};

/** Folds weak hands most of the time, but never when folding costs the game. */
function answer(view: View): Act {
  if (!view.may("fold")) {
    return stay();
  }
  const limit = Number(view.rules.get("limit"));
  const lost = (view.points[view.seat] ?? 0) + (view.accepted[view.seat] ?? 0) >= limit;
  const doubt = 1 - strength(view);
  return !lost && view.random() < doubt ? fold() : stay();
}

function wantsToep(view: View): boolean {
  return strength(view) > 0.9 && view.random() < 0.2;
}

/** How good the hand is for the last trick, from 0 to 1. */
function strength(view: View): number {
  const [best, second] = byHeight(view.hand).reverse();
  if (best === undefined) {
    return 0;
  }
  return (3 * best.height + (second ?? best).height) / 28;
}

function cardOrPass(view: View): Act {
  const card = chooseCard(view);
  return card === undefined ? pass() : play(card);
}

/** The lowest card that may be spared; in the last trick but one, the lowest that takes the lead. */
function chooseCard(view: View): Card | undefined {
  const following = view.legalCards.filter((card) => card.suit === view.led);
  const choice = byHeight(following.length > 0 ? following : view.legalCards);
  const best = byHeight(view.hand).at(-1);
  const spare = choice.filter((card) => card !== best);
  if (view.hand.length === 2) {
    const winning = spare.find((card) => wins(card, view));
    return winning ?? spare[0] ?? choice[0];
  }
  return spare[0] ?? choice[0];
}

function wins(card: Card, view: View): boolean {
  const rivals = view.currentTrick.filter((each) => each.card.suit === view.led);
  return view.led === undefined || (card.suit === view.led && rivals.every((each) => each.card.height < card.height));
}

function byHeight(cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) => a.height - b.height || a.index - b.index);
}

function isPicture(card: Card): boolean {
  return card.height < 4;
}

await run(bot);
