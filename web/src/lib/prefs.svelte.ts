// How this browser likes it: theme, sound, keys, and how fast others' dice are shown. Kept between visits.

export type Theme = 'auto' | 'light' | 'dark'
export type Pace = 'calm' | 'quick' | 'instant'

const KEY = 'hotdice.prefs'
/** What the browser paints its own bars with: `--surface`. */
const SURFACES = { light: '#fffdf8', dark: '#1c222a' }
const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')
const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)')

class Prefs {
  theme = $state<Theme>('auto')
  sound = $state(false)
  /** Whether the device buzzes when dice land. */
  buzz = $state(false)
  pace = $state<Pace>('calm')
  /** Whether single keys act wherever the focus is. */
  keys = $state(true)
  /** Whether the system asks for reduced motion. */
  still = $state(still?.matches ?? false)

  constructor() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<string, unknown>>
      if (found.theme === 'light' || found.theme === 'dark') this.theme = found.theme
      if (found.pace === 'quick' || found.pace === 'instant') this.pace = found.pace
      this.sound = found.sound === true
      this.buzz = found.buzz === true
      this.keys = found.keys !== false
    } catch {
      // Nothing was kept, or nothing can be.
    }
    dark?.addEventListener('change', () => this.apply())
    still?.addEventListener('change', (event) => (this.still = event.matches))
  }

  /** Make the page look as it should. */
  apply(): void {
    const shown = this.theme === 'auto' ? (dark?.matches ? 'dark' : 'light') : this.theme
    document.documentElement.dataset.theme = shown
    document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.setAttribute('content', SURFACES[shown])
  }

  save(): void {
    this.apply()
    try {
      localStorage.setItem(KEY, JSON.stringify({ theme: this.theme, sound: this.sound, buzz: this.buzz, pace: this.pace, keys: this.keys }))
    } catch {
      // It lasts until the page is closed.
    }
  }
}

export const prefs = new Prefs()
