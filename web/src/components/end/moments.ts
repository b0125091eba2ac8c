// How the moments that mattered are worded and drawn.
import type { Moments } from '../../lib/types'
import { figure } from '../../lib/words'

export type Moment = Moments['moments'][number]

const CHANCE = 'win probability'
const SCORE = 'points of the score'

/** A change with its sign, to one decimal where that matters. */
function change(value: number, decimals: number): string {
  const rounded = Number(Math.abs(value).toFixed(decimals))
  const sign = rounded === 0 ? '±' : value > 0 ? '+' : '−'
  return `${sign}${decimals ? rounded.toFixed(decimals) : figure(rounded)}`
}

/** “+12.4% to win”, “−3.1 points”. */
export function swingWords(moment: Moment): string {
  if (moment.unit === CHANCE) return `${change(moment.swing * 100, 1)}% to win`
  if (moment.unit === SCORE) return `${change(moment.swing, 0)} points`
  return `${change(moment.swing, 1)} ${moment.unit === 'round points' ? 'points of the round' : moment.unit}`
}

/** How sure that is, where it is an estimate: “give or take 4%”. */
function errorWords(moment: Moment): string {
  if (moment.unit === CHANCE) return moment.error >= 0.005 ? `give or take ${Math.round(moment.error * 100)}%` : ''
  return moment.error >= 0.05 ? `give or take ${moment.error.toFixed(1)}` : ''
}

/** What made the difference, and how sure that is. Where only scores are known, nothing is said of it. */
export function causeWords(moment: Moment): string {
  if (moment.unit === SCORE) return ''
  const cause = moment.kind === 'choice' ? 'by choice' : moment.swing < 0 ? 'bad luck' : 'good luck'
  const sure = [cause, errorWords(moment)].filter(Boolean).join(', ')
  return moment.better ? `${sure}; ${moment.better} was better` : sure
}

/** Whether only the scores were compared. */
export const byScore = (moments: readonly Moment[]) => moments.length > 0 && moments.every((moment) => moment.unit === SCORE)

/** Whether it changed anything that can be seen in the figures. */
export const matters = (moment: Moment) => !swingWords(moment).startsWith('±')

/** How long the bar of each moment is, from −1 to 1, compared with the largest. All of a game are in one unit. */
export function lengths(moments: readonly Moment[]): number[] {
  const most = Math.max(...moments.map(({ swing }) => Math.abs(swing)))
  return moments.map(({ swing }) => swing / (most || 1))
}

/** How much of the game had been played when it could be seen: dice once they lie, a choice before it was made. */
export const playedBy = (moment: Moment) => (moment.kind === 'choice' && moment.better ? moment.event : moment.event + 1)
