// The card that somebody sends to the others after a game, as an SVG: who won, how the chances went, how lucky everybody was, and what
// that means. It has its own colours, as it leaves the page.
import { CHANCE, changeWords, linesOf, luckVerdict, pathOf, rangeOf, type Report } from './review'
import { figure, listed } from './words'

export const CARD = { width: 1200, height: 630 } as const
const INK = '#26211a'
const QUIET = '#5f5645'
const LINE = '#ddd3c1'
const PAPER = '#fffdf8'
/** As in app.css on light pages. */
const PLAYERS = ['#1f63c4', '#c43a1f', '#1c7c4a', '#8a3fb0', '#a86200', '#00798a', '#b8286b', '#56606b']
const DASHES = ['', '14 8', '4 6', '24 8 4 8', '10 4', '18 6 4 6 4 6', '2 8', '28 12']
/** As in Mark.svelte, in a square of 24. */
const SHAPES = [
  'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z',
  'M4 4h16v16H4z',
  'M12 3l10 18H2z',
  'M12 1.5L22.5 12L12 22.5L1.5 12z',
  'M12 2l10 7.4l-3.8 12H5.8L2 9.4z',
  'M12 1.5l3 7l7.5.6l-5.7 5l1.8 7.4L12 17.5l-6.6 4l1.8-7.4l-5.7-5l7.5-.6z',
  'M8.5 2h7v6.5H22v7h-6.5V22h-7v-6.5H2v-7h6.5z',
  'M6.5 3h11L23 12l-5.5 9h-11L1 12z',
]

export interface CardFacts {
  title: string
  accent: string
  onAccent: string
  winners: readonly number[]
  scores: readonly number[]
  report: Report
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** As much of a text as has room, by what its letters take on average. */
export function fitted(text: string, width: number, size: number): string {
  const most = Math.max(1, Math.floor(width / (size * 0.55)))
  const letters = [...text]
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : text
}

/** A sentence in lines of at most so many letters. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Who won, in a few words. */
export function headline({ winners, scores, report }: Pick<CardFacts, 'winners' | 'scores' | 'report'>): string {
  const names = report.seats.map(({ name }) => name)
  if (!report.finished) return 'How it stood'
  if (names.length === 1) return `${names[0] ?? ''}: ${figure(scores[0] ?? 0)} points`
  const won = listed(winners.map((seat) => names[seat] ?? ''))
  const others = names.filter((_, seat) => !winners.includes(seat))
  if (winners.length > 1 || others.length !== 1) return `${won} ${winners.length > 1 ? 'win together' : 'wins'}`
  return `${won} beats ${others[0] ?? ''}`
}

/** The card, as the text of an SVG. */
export function cardOf(facts: CardFacts): string {
  const { title, accent, onAccent, report, scores } = facts
  const { seats, unit } = report
  const text = (x: number, y: number, size: number, said: string, more = '') => `<text x="${x}" y="${y}" font-size="${size}" ${more}>${escaped(said)}</text>`
  const head = headline(facts)
  const size = head.length > 34 ? 38 : head.length > 24 ? 48 : 60
  const parts = [
    `<rect width="${CARD.width}" height="${CARD.height}" fill="${PAPER}"/>`,
    `<rect width="${CARD.width}" height="84" fill="${accent}"/>`,
    text(48, 55, 34, title, `fill="${onAccent}" font-weight="800"`),
    text(1152, 54, 24, 'hotdice', `fill="${onAccent}" font-weight="700" text-anchor="end"`),
    text(48, 160, size, fitted(head, 1104, size), `fill="${INK}" font-weight="800"`),
  ]
  const order = seats.map((seat) => seat.seat).sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
  const pitch = Math.min(84, 296 / seats.length)
  const letters = Math.min(34, pitch * 0.56)
  const most = Math.max(...seats.map((seat) => Math.abs(seat.luck)), 1e-9)
  const [middle, reach] = [545, 92]
  parts.push(text(middle, 204, 18, 'Luck', `fill="${QUIET}" text-anchor="middle"`))
  parts.push(`<path d="M${middle} 216V${216 + pitch * seats.length}" stroke="${LINE}" stroke-width="2"/>`)
  for (const [row, at] of order.entries()) {
    const seat = seats[at]
    if (!seat) continue
    const y = 216 + row * pitch + pitch / 2
    const colour = PLAYERS[at % 8] ?? INK
    const bar = (reach * seat.luck) / most
    const scale = letters / 24
    parts.push(
      `<path d="${SHAPES[at % 8] ?? ''}" fill="${colour}" transform="translate(48 ${y - letters / 2}) scale(${scale})"/>`,
      text(60 + letters, y + letters * 0.36, letters, fitted(seat.name, 214, letters), `fill="${INK}" font-weight="600"`),
      text(420, y + letters * 0.36, letters, figure(scores[at] ?? 0), `fill="${INK}" font-weight="800" text-anchor="end"`),
      `<rect x="${middle + Math.min(0, bar)}" y="${y - pitch * 0.24}" width="${Math.max(2, Math.abs(bar))}" height="${pitch * 0.48}" rx="3" fill="${colour}"/>`,
      text(middle + reach + 12, y + letters * 0.34, letters * 0.86, changeWords(seat.luck, unit, report.exact ? 0 : 0.01), `fill="${INK}" font-weight="600"`),
    )
  }
  const lines = linesOf(report)
  const range = rangeOf(lines, unit)
  const count = Math.max(1, report.events.length)
  parts.push(
    text(772, 204, 18, unit === CHANCE ? 'Chance to win' : 'Points to be expected', `fill="${QUIET}"`),
    `<g transform="translate(772 220)"><path d="M0 0H380M0 145H380M0 290H380" stroke="${LINE}" stroke-width="2"/>`,
    ...lines.map(
      (line, seat) =>
        `<path d="${pathOf(line, range)}" transform="scale(${380 / count} 2.9)" vector-effect="non-scaling-stroke" fill="none" stroke="${PLAYERS[seat % 8] ?? INK}" stroke-width="4" stroke-linejoin="round" stroke-dasharray="${DASHES[seat % 8] ?? ''}"/>`,
    ),
    '</g>',
  )
  for (const [row, line] of wrapped(luckVerdict(report), 84).slice(0, 2).entries()) parts.push(text(48, 566 + row * 36, 27, line, `fill="${INK}"`))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CARD.width} ${CARD.height}" width="${CARD.width}" height="${CARD.height}" ` +
    `font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif">${parts.join('')}</svg>`
  )
}

/** The card as a picture that can be sent. */
export async function pictureOf(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image(CARD.width, CARD.height)
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = CARD.width
    canvas.height = CARD.height
    canvas.getContext('2d')?.drawImage(image, 0, 0, CARD.width, CARD.height)
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
    })
  } finally {
    URL.revokeObjectURL(address)
  }
}
