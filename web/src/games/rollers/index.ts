import type { BrowserGame } from '../../lib/games'
import Backdrop from './Backdrop.svelte'
import { DICE } from './dice'

export default {
  board: () => import('./Board.svelte'),
  celebration: () => import('./Celebration.svelte'),
  dice: DICE,
  figures: { sections: () => import('./Sections.svelte') },
  toss: ['5', '*', 'zap', '3', '5'],
  backdrop: Backdrop,
  shades: {
    light: { on: '#ffffff', ink: '#5b2aa3', soft: '#ece3fa' },
    dark: { on: '#ffffff', ink: '#c9aeff', soft: '#2c2245' },
  },
  options: {
    target_points: { title: 'Points to win the match', stride: 1, unit: 'points' },
    saved_dice: {
      title: 'Dice that you kept',
      values: { free: 'May go back into the next roll', locked: 'Stay kept until the turn ends' },
    },
    chip_tie: {
      title: 'When several have the most chips',
      values: { nobody: 'Nobody gets the point', share: 'Each of them gets a point' },
    },
  },
  seating: 'Turns go round in this order; the dice decide who begins.',
} satisfies BrowserGame
