// Just enough Markdown for the rules of a game: headings, paragraphs, lists, tables, and strong, emphasised and code words; and figures,
// which are code blocks with a name.
// It becomes blocks that a component draws; no text ever becomes markup.

export interface Span {
  kind: 'text' | 'strong' | 'em' | 'code'
  text: string
}

export type Block =
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'code'; text: string }
  | { kind: 'figure'; name: string; lines: string[] }

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/
const RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/
const MARKED = /\*\*(.+?)\*\*|__(.+?)__|\*([^*\s](?:[^*]*[^*\s])?)\*|\b_([^_\s](?:[^_]*[^_\s])?)_\b|`([^`]+)`/g

export function spansOf(text: string): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const found of text.matchAll(MARKED)) {
    if (found.index > from) spans.push({ kind: 'text', text: text.slice(from, found.index) })
    const [whole, strong, strong2, em, em2, code] = found
    if (code !== undefined) spans.push({ kind: 'code', text: code })
    else if (em !== undefined || em2 !== undefined) spans.push({ kind: 'em', text: em ?? em2 ?? '' })
    else spans.push({ kind: 'strong', text: strong ?? strong2 ?? '' })
    from = found.index + whole.length
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) })
  return spans
}

function cellsOf(line: string): Span[][] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split('|').map((cell) => spansOf(cell.trim()))
}

export function blocksOf(text: string): Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const blocks: Block[] = []
  let at = 0
  const line = (ahead = 0) => lines[at + ahead] ?? ''
  const starts = () => HEADING.test(line()) || ITEM.test(line()) || line().startsWith('```') || isTable()
  const isTable = () => line().includes('|') && RULE.test(line(1)) && line(1).includes('-')

  while (at < lines.length) {
    const heading = HEADING.exec(line())
    if (!line().trim()) {
      at += 1
    } else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, spans: spansOf(heading[2] ?? '') })
      at += 1
    } else if (line().startsWith('```')) {
      const name = line().slice(3).trim()
      const code: string[] = []
      for (at += 1; at < lines.length && !line().startsWith('```'); at += 1) code.push(line())
      at += 1
      blocks.push(name ? { kind: 'figure', name, lines: code } : { kind: 'code', text: code.join('\n') })
    } else if (isTable()) {
      const head = cellsOf(line())
      const rows: Span[][][] = []
      for (at += 2; at < lines.length && line().includes('|'); at += 1) {
        const cells = cellsOf(line())
        rows.push(head.map((_, column) => cells[column] ?? []))
      }
      blocks.push({ kind: 'table', head, rows })
    } else if (ITEM.test(line())) {
      blocks.push(list())
    } else {
      const parts = [line().trim()]
      for (at += 1; at < lines.length && line().trim() && !starts(); at += 1) parts.push(line().trim())
      blocks.push({ kind: 'paragraph', spans: spansOf(parts.join(' ')) })
    }
  }
  return blocks

  function list(): Block {
    const ordered = ITEM.exec(line())?.[1] !== undefined
    const items: string[] = []
    for (; at < lines.length && line().trim(); at += 1) {
      const item = ITEM.exec(line())
      if (item && (item[1] !== undefined) === ordered) items.push(item[2] ?? '')
      else if (!item && /^\s/.test(line())) items.push(`${items.pop() ?? ''} ${line().trim()}`)
      else break
    }
    return { kind: 'list', ordered, items: items.map((item) => spansOf(item)) }
  }
}

/** What a heading says, without its marks. */
export function plain(spans: readonly Span[]): string {
  return spans.map((span) => span.text).join('')
}
