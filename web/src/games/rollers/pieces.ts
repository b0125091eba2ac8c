// What draws the figures of the rules that are not just dice, outside the app.
import { render } from 'svelte/server'

import type { Piece } from '../../drawn/figures'
import Door from './Door.svelte'
import { sectionLine } from './sections'

export default {
  sections: (line: string): Piece => {
    const { number, is } = sectionLine(line)
    return { html: render(Door, { props: { number, is } }), width: 48, height: 44 }
  },
}
