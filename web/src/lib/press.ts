// Presses that skip: a tap shows one step at once, a press that lasts all of them. By pointer or by a key that is held.

/** Milliseconds after which a press lasts. */
export const LONG = 450

export class Press {
  private timer: ReturnType<typeof setTimeout> | undefined
  private lasted = false

  constructor(private readonly long: () => void) {}

  begin(): void {
    this.end()
    this.lasted = false
    this.timer = setTimeout(() => {
      this.lasted = true
      this.long()
    }, LONG)
  }

  /** It is over; whether it had lasted. */
  end(): boolean {
    clearTimeout(this.timer)
    return this.lasted
  }
}

/** An attachment: `skip` is called for a tap, and with `all` for a press that lasts. `from` says which targets count. */
export function pressed(skip: (options: { all: boolean }) => void, from: (target: Element) => boolean = () => true) {
  return (node: HTMLElement): (() => void) => {
    const press = new Press(() => skip({ all: true }))
    const counts = (event: Event) => event.target instanceof Element && from(event.target)
    const down = (event: Event) => (counts(event) ? press.begin() : press.end())
    const up = () => void press.end()
    const click = (event: Event) => {
      if (counts(event) && !press.end()) skip({ all: false })
    }
    const listeners = { pointerdown: down, pointerup: up, pointercancel: up, pointerleave: up, click } as const
    for (const [name, listener] of Object.entries(listeners)) node.addEventListener(name, listener)
    return () => {
      press.end()
      for (const [name, listener] of Object.entries(listeners)) node.removeEventListener(name, listener)
    }
  }
}
