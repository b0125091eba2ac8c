import type { BrowserGame } from '../../lib/games'
import Backdrop from './Backdrop.svelte'
import { ROAD } from './dice'

export default {
  board: () => import('./Board.svelte'),
  celebration: () => import('./Celebration.svelte'),
  dice: [ROAD],
  toss: ['100', 'S', '50', 'U', '100'],
  backdrop: Backdrop,
  shades: {
    light: { on: '#2b1d00', ink: '#7a4f00', soft: '#fdf0cf' },
    dark: { on: '#2b1d00', ink: '#f7c557', soft: '#372c12' },
  },
  options: {
    target: { title: 'Points to win', stride: 500, unit: 'points' },
    scoring: {
      title: 'What a toss scores',
      values: { highest: 'Only the highest die, which is put aside', all: 'Every number on the dice' },
    },
    bank_roll: { title: 'Bank Roll', about: 'Six numbers in one toss are banked at once, with all the points of the turn so far.' },
    final_round: { title: 'Final round', about: 'When somebody reaches the target, everybody else has one more turn.' },
  },
  seating: 'Youngest first: the first seat begins, and turns go round to the left.',
  first: 'Who is the youngest?',
} satisfies BrowserGame
