// What the card of a game says, of the game and its report.
import { browserGame } from '../../lib/games'
import { shadesOf } from '../../lib/accent'
import type { CardFacts } from '../../lib/card'
import type { Report } from '../../lib/review'
import type { Stage } from '../../lib/stage.svelte'

export function cardFacts(stage: Stage, report: Report): CardFacts {
  const { card } = stage.table
  const accent = card?.accent.light ?? '#c2410c'
  const view = stage.states.at(-1)?.view
  return {
    title: card?.title ?? '',
    accent,
    onAccent: (browserGame(card?.name ?? '').shades?.light ?? shadesOf(accent, 'light')).on,
    winners: view?.result?.winners ?? [],
    scores: view?.scores ?? [],
    report,
  }
}
