// Where in the app we are; of a table, which of its games that are over, or 0 for the table as it stands; of a review, how many rolls and moves had been played. Addresses are real ones, so that links, reloading and going back work.

export type Place =
  | { page: 'home' }
  | { page: 'new'; game: string }
  | { page: 'table'; table: string; game: number }
  | { page: 'review'; table: string; game: number; at: number | null }
  | { page: 'rules'; game: string }
  | { page: 'learn'; game: string }
  | { page: 'practice'; set: string }
  | { page: 'mistakes'; table: string; game: number }
  | { page: 'book'; name: string }
  | { page: 'challenge'; challenge: string }
  | { page: 'challenges' }
  | { page: 'nowhere' }

/** In place of a challenge's name: the one of this day. */
export const TODAY = 'today'

const NUMBER = /^[1-9]\d{0,5}$/

/** The address of a game's review, at some moment of it. */
export const reviewPath = (table: string, game: number, at?: number) => `/t/${table}/${game}/review${at === undefined ? '' : `/${at}`}`

export function placeOf(path: string): Place {
  const [first = '', second = '', third = '', ...rest] = path.split('/').filter(Boolean).map(decode)
  if (first === 't' && second && NUMBER.test(third) && !rest.length) return { page: 'table', table: second, game: Number(third) }
  if (first === 't' && second && NUMBER.test(third) && rest.join() === 'practice') return { page: 'mistakes', table: second, game: Number(third) }
  const [review, at = ''] = rest
  if (first === 't' && second && NUMBER.test(third) && review === 'review' && rest.length < 3 && /^\d{0,7}$/.test(at))
    return { page: 'review', table: second, game: Number(third), at: at ? Number(at) : null }
  if (third) return { page: 'nowhere' }
  if (!first) return { page: 'home' }
  if (first === 'new' && second) return { page: 'new', game: second }
  if (first === 't' && second) return { page: 'table', table: second, game: 0 }
  if (first === 'rules' && second) return { page: 'rules', game: second }
  if (first === 'learn' && second) return { page: 'learn', game: second }
  if (first === 'practice') return { page: 'practice', set: second }
  if (first === 'book') return { page: 'book', name: second }
  if (first === 'c' && second) return { page: 'challenge', challenge: second }
  if (first === 'daily' && !second) return { page: 'challenge', challenge: TODAY }
  if (first === 'challenge' && !second) return { page: 'challenges' }
  return { page: 'nowhere' }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

class Router {
  path = $state(globalThis.location?.pathname ?? '/')
  place = $derived(placeOf(this.path))

  constructor() {
    globalThis.addEventListener?.('popstate', () => (this.path = location.pathname))
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path)
    else history.pushState(null, '', path)
    this.path = location.pathname
    scrollTo(0, 0)
  }

  /** For links: let the browser have every click that is not a plain one. */
  follow = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest('a')
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    this.go(link.pathname)
  }
}

export const router = new Router()
