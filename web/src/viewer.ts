// The review of one game in a file of its own: everything is in the file, packed, and nothing is asked for.
import { mount } from 'svelte'

import './app.css'
import FileViewer from './pages/FileViewer.svelte'
import { prefs } from './lib/prefs.svelte'
import type { Replay, Report } from './lib/review'
import { shelf } from './lib/shelf.svelte'
import type { GameCard } from './lib/types'

/** What `hotdice.server.review_file` puts into the file. */
interface Packed {
  card: GameCard
  replay: Replay
  report: Report
}

async function unpacked(text: string): Promise<Packed> {
  const bytes = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return (await new Response(stream).json()) as Packed
}

prefs.apply()
const target = document.getElementById('app')
const packed = document.getElementById('game')?.textContent
if (target && packed) {
  void unpacked(packed).then(({ card, replay, report }) => {
    performance.mark('review-answered')
    shelf.games = { games: [card], bots: [], called: [], book: false }
    mount(FileViewer, { target, props: { replay, report } })
  })
}
