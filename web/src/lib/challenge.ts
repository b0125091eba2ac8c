// Challenges in words: who challenges whom to what, how everybody did, and how luck and skill compare on the same dice.
import { levelName } from './setup'
import type { Challenge, ChallengeTry, Column, ColumnAccount } from './types'
import { figure, listed, plural } from './words'

/** The name of the game: what stands before the first comma of its title. */
export const shortTitle = ({ title }: Pick<Challenge, 'title'>) => title.split(',')[0] ?? title

/** The game and the bots in it: “…, alone”, “… against Otto, a casual bot”. */
export function gameWords(challenge: Pick<Challenge, 'title' | 'seats'>): string {
  const bots = challenge.seats.filter((seat) => seat.kind === 'bot')
  if (!bots.length) return `${shortTitle(challenge)}, alone`
  if (bots.length === 1) return `${shortTitle(challenge)} against ${bots[0]?.name}, ${botsWords(bots[0]?.bot ?? '', 1)}`
  return `${shortTitle(challenge)} against ${listed(bots.map((bot) => bot.name))}, ${plural(bots.length, 'bot')}`
}

/** “an expert bot”, “3 casual bots” */
export function botsWords(level: string, count: number): string {
  const word = levelName(level).toLowerCase()
  return count > 1 ? `${count} ${word} bots` : `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word} bot`
}

/** Whose challenge it is; `you` is the name under which whoever looks has played it, or nothing. */
export function headline(challenge: Challenge, you: string): string {
  if (challenge.daily) return `The challenge of ${dayWords(challenge.name)}`
  if (!challenge.maker || challenge.maker === you) return 'Your challenge'
  return you ? `${challenge.maker}’s challenge` : `${challenge.maker} challenges you`
}

/** “18 November” */
export function dayWords(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

/** What the first page says of the challenge of this day. */
export function todayWords(challenge: Challenge): string {
  const game = gameWords(challenge)
  const mine = challenge.tries.find((each) => each.number === challenge.mine)
  if (mine?.standing === 'playing') return `${game}: your game goes on`
  if (mine?.result?.rank) return `${game}: you are ${place(mine.result.rank)} of ${challenge.tries.filter((each) => each.result?.rank).length}`
  const others = challenge.tries.length
  return others ? `${game}: ${others === 1 ? '1 has' : `${others} have`} played` : `${game}: be the first`
}

function place(rank: number): string {
  const end = rank % 100 >= 11 && rank % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th')
  return `${rank}${end}`
}

/** How long it still goes: “5 hours and 12 minutes”, “6 days”. */
export function timeLeft(until: string, now: number): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(until) - now) / 60_000))
  if (minutes >= 2 * 24 * 60) return plural(Math.floor(minutes / (24 * 60)), 'day')
  const hours = Math.floor(minutes / 60)
  if (!hours) return plural(minutes, 'minute')
  return minutes % 60 ? `${plural(hours, 'hour')} and ${plural(minutes % 60, 'minute')}` : plural(hours, 'hour')
}

/** Whether everybody plays alone, so that points are what counts. */
export const isSolo = (challenge: Pick<Challenge, 'seats'>) => challenge.seats.length === 1

/** “241 points”; “won, 500 to 320”. */
export function resultWords(scores: readonly number[], place: number, seat: number): string {
  const mine = scores[seat] ?? 0
  if (scores.length === 1) return plural(mine, 'point').replace(String(mine), figure(mine))
  const others = scores.filter((_, at) => at !== seat)
  const result = place === 0 ? '' : place === 1 ? 'won, ' : 'lost, '
  return `${result}${figure(mine)} to ${others.map(figure).join(' and ')}`
}

/** What became of a try that is on no place of the board. */
export function standingWords({ standing }: Pick<ChallengeTry, 'standing'>): string {
  return { playing: 'still playing', finished: '', 'given up': 'given up', late: 'ended too late' }[standing]
}

/** The unit of games in which what counts is to win. */
export const CHANCE = 'win probability'

/** A value of an account where its unit is said elsewhere: “12.3”, “8.1%”. */
export function worthFigure(value: number, unit: string): string {
  const shown = (unit === CHANCE ? 100 * value : value).toFixed(1).replace('-', '−')
  return unit === CHANCE ? `${shown}%` : shown
}

/** The same in a sentence: “12.3 points”, “8.1%”. */
export const worthWords = (value: number, unit: string) => `${worthFigure(value, unit)}${unit === CHANCE ? '' : ' points'}`

/** A figure with its sign. */
export function signedWorth(value: number, unit: string): string {
  const shown = worthFigure(value, unit)
  return value > 0 && !/^0\.0\b/.test(shown) ? `+${shown}` : shown.replace(/^−0\.0\b/, '0.0')
}

/** What lies below this cannot be seen in figures with one decimal. */
const NOTHING = { [CHANCE]: 0.0005 }

/**
 * How luck and skill compare between two players of the same dice. Luck is what is left: the same faces met other
 * boxes, other scores, or other dice held back. `name` is who `you` are compared with.
 */
export function skillWords(you: Column, other: Column, name = other.name): string {
  const [mine, theirs] = [you.account, other.account]
  if (!mine || !theirs || mine.unit !== theirs.unit) return ''
  const unit = mine.unit
  const by = theirs.losses - mine.losses
  const least = NOTHING[unit as keyof typeof NOTHING] ?? 0.05
  const error = Math.max(least, mine.error, theirs.error)
  const whom = name === BEST_PLAY ? 'the best play' : name
  const lost = `your choices gave away ${worthWords(mine.losses, unit)}, ${whom}’s ${worthWords(theirs.losses, unit)}`
  const better = `so ${by > 0 ? 'you' : whom} played better by ${worthWords(Math.abs(by), unit)}`
  const skill = Math.abs(by) <= least ? 'so nobody played better' : Math.abs(by) <= error ? 'which is too close to tell from estimates' : better
  const rest = luckOf(mine) - luckOf(theirs)
  const brought = `What the same dice happened to bring is worth ${worthWords(Math.abs(rest), unit)} to ${rest > 0 ? 'you' : whom}.`
  const luck = Math.abs(rest) <= error ? 'Luck made no difference.' : brought
  return `The dice were the same: ${lost}, ${skill}. ${luck}`
}

/** What neither the own choices nor the start explain. */
const luckOf = ({ result, start, losses }: ColumnAccount) => result - start + losses

/** What the column of the perfect bot is headed. */
export const BEST_PLAY = 'Best play'
