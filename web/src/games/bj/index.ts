import { PLAIN } from '../../lib/dice'
import type { BrowserGame } from '../../lib/games'
import Backdrop from './Backdrop.svelte'

export default {
  board: () => import('./Board.svelte'),
  settlement: () => import('./Settlement.svelte'),
  celebration: () => import('./Celebration.svelte'),
  dice: [PLAIN],
  toss: ['1', '5', '5', '5', '1'],
  backdrop: Backdrop,
  shades: {
    light: { on: '#ffffff', ink: '#1a5f3c', soft: '#dcefe3' },
    dark: { on: '#ffffff', ink: '#82d8a9', soft: '#183427' },
  },
  options: {
    target: { title: 'Score to go past', stride: 500, unit: 'points' },
    dice: { title: 'Dice', values: { '6': 'Six dice', '5': 'Five dice' } },
    bust: {
      title: 'A toss that scores nothing',
      values: {
        any: 'Costs the points of the turn',
        all_dice: 'Costs them only if all the dice were tossed; otherwise the turn ends and its points count',
      },
    },
  },
} satisfies BrowserGame
