import type { BrowserGame } from '../../lib/games'
import Backdrop from './Backdrop.svelte'
import { COLOURED } from './dice'

export default {
  board: () => import('./Board.svelte'),
  celebration: () => import('./Celebration.svelte'),
  dice: [COLOURED],
  figures: { boxes: () => import('./Boxes.svelte') },
  toss: ['3', '4', '6', '2', '5'],
  backdrop: Backdrop,
  shades: {
    light: { on: '#ffffff', ink: '#9a1420', soft: '#fae3e0' },
    dark: { on: '#ffffff', ink: '#ff9f98', soft: '#3b1d20' },
  },
  options: {
    second_kismet: {
      title: 'The second Kismet strikes',
      about: 'From somebody’s second Kismet on, each one makes all the others write a zero and lose a turn.',
    },
    kismet_is_full_house: {
      title: 'Five alike make a full house',
      about: 'Five of a kind may be written into the two Full House boxes as well.',
    },
  },
  padSeats: 6,
  seating: 'Turns go round in this order; the dice decide who begins.',
} satisfies BrowserGame
