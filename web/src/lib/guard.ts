// No slip of a finger decides a game: what has just come under the pointer cannot be pressed yet, and a double click is one press.
// Keys are never in doubt about what they press; those that are held down act once (lib/keys.ts).

/** Milliseconds in which nobody can have meant what has just come under the pointer. */
export const SLIP = 500

/** What a press would do where the pointer is, over time. */
export class Watch {
  private meaning = ''
  /** The last of them that was anything. */
  private known = ''
  private since = -Infinity
  private pressed = -Infinity

  /** The page has changed under the pointer. What comes back after a while is nothing new. */
  changed(meaning: string, now: number): void {
    if (meaning === this.meaning) return
    this.meaning = meaning
    if (!meaning) return
    if (meaning !== this.known) this.since = now
    this.known = meaning
  }

  /** The pointer has come to something by itself: that is meant. */
  moved(meaning: string): void {
    if (meaning === this.meaning) return
    this.meaning = meaning
    if (!meaning) return
    this.known = meaning
    this.since = -Infinity
  }

  /** Whether a press is a slip. `again`: it follows on another one at the same place, and cannot be meant if that was a moment ago. */
  slips(now: number, again: boolean): boolean {
    if (now - this.since < SLIP || (again && now - this.pressed < SLIP)) return true
    this.pressed = now
    return false
  }
}

/** What decides something. Dice that are tapped can be tapped again, as can the faces of real ones. */
const DECIDES = '.actions .button:not(.waiting .button), .sheet button'
/** What is pressed once, however often it is clicked. */
const ONCE = '[data-key="roll"], .waiting .button'
/** Pixels within which a finger hits the same place. */
const NEAR = 40

let pointer = { x: -1, y: -1 }
globalThis.window?.addEventListener('pointermove', ({ x, y }) => (pointer = { x, y }), { capture: true, passive: true })
globalThis.window?.addEventListener('pointerdown', ({ x, y }) => (pointer = { x, y }), { capture: true, passive: true })

function meaningOf(target: Element | null): string {
  const button = target?.closest<HTMLButtonElement>(DECIDES)
  if (!button || button.disabled || button.ariaDisabled === 'true') return ''
  return button.dataset.key ?? button.ariaLabel ?? button.textContent
}

/** Attach it to a board: presses on its actions and its sheet that are slips never come there. */
export function guarded(board: HTMLElement): () => void {
  const watch = new Watch()
  let last = { x: -1, y: -1 }

  const look = () => watch.changed(meaningOf(document.elementFromPoint(pointer.x, pointer.y)), performance.now())
  const move = ({ target }: PointerEvent) => watch.moved(target instanceof Element ? meaningOf(target) : '')
  const click = (event: MouseEvent) => {
    const button = event.detail ? (event.target as Element).closest(`${DECIDES}, ${ONCE}`) : null
    if (!button) return
    const touched = event instanceof PointerEvent && event.pointerType === 'touch'
    const near = Math.hypot(event.x - last.x, event.y - last.y) < NEAR
    last = { x: event.x, y: event.y }
    if (!watch.slips(performance.now(), button.matches(ONCE) && near && (touched || event.detail > 1))) return
    event.preventDefault()
    event.stopPropagation()
  }
  const held = (event: KeyboardEvent) => {
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
  }

  const changes = new MutationObserver(look)
  changes.observe(board, { subtree: true, childList: true, characterData: true, attributeFilter: ['disabled', 'aria-disabled', 'aria-label', 'class'] })
  window.addEventListener('pointermove', move, { passive: true })
  window.addEventListener('pointerdown', move, { passive: true })
  board.addEventListener('click', click, { capture: true })
  board.addEventListener('keydown', held, { capture: true })
  look()
  return () => {
    changes.disconnect()
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerdown', move)
  }
}
