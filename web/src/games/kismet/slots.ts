// The places of a hand, one for each die. A die keeps its place for the whole turn, whatever is rolled again around it.

export interface Slot {
  /** The face that lies here, or '' where nothing has been rolled yet. */
  face: string
  held: boolean
  /** The number of the toss that the die tumbles in, 0 if it has been lying here. */
  toss: number
}

/** The places before anything is rolled. */
export function bare(dice: number): Slot[] {
  return Array.from({ length: dice }, () => ({ face: '', held: false, toss: 0 }))
}

/** Which of the slots carry the given faces: held ones first, then from the left. */
function carrying(slots: readonly Slot[], faces: readonly string[]): boolean[] {
  const left = [...faces]
  const found = slots.map(() => false)
  for (const wanted of [true, false]) {
    for (const [index, slot] of slots.entries()) {
      const at = slot.held === wanted ? left.indexOf(slot.face) : -1
      if (at < 0 || found[index]) continue
      left.splice(at, 1)
      found[index] = true
    }
  }
  return found
}

export function without(faces: readonly string[], some: readonly string[]): string[] {
  const gone = [...some]
  return faces.filter((face) => {
    const at = gone.indexOf(face)
    if (at >= 0) gone.splice(at, 1)
    return at < 0
  })
}

export function sameFaces(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && without(some, others).length === 0
}

/** A toss falls: what was kept stays where it is and stays held, and the tossed dice fill the other places. */
export function tossed(slots: readonly Slot[], faces: readonly string[], key: number, all: readonly string[]): Slot[] {
  const kept = without(all, faces)
  const stays = carrying(slots, kept)
  const next = [...faces]
  const spare = without(
    kept,
    slots.filter((_, index) => stays[index]).map((slot) => slot.face),
  )
  return slots.map((slot, index) => {
    if (stays[index]) return { face: slot.face, held: true, toss: slot.toss }
    const before = spare.shift()
    if (before !== undefined) return { face: before, held: true, toss: 0 }
    return { face: next.shift() ?? slot.face, held: false, toss: key }
  })
}

/** All dice lie here. Nothing moves if they are those that lay here already; `last` are those of the last toss, if known. */
export function lying(slots: readonly Slot[], all: readonly string[], last: readonly string[] | null): Slot[] {
  if (
    sameFaces(
      slots.map((slot) => slot.face),
      all,
    )
  )
    return [...slots]
  if (last && last.length + without(all, last).length === all.length) return tossed(slots, last, 0, all)
  return all.map((face) => ({ face, held: false, toss: 0 }))
}

/** Some dice were kept, and the others are about to be rolled. */
export function keeping(slots: readonly Slot[], kept: readonly string[]): Slot[] {
  const stays = carrying(slots, kept)
  if (stays.filter(Boolean).length === kept.length) return slots.map((slot, index) => ({ ...slot, held: stays[index] ?? false }))
  return bare(slots.length).map((slot, index) => ({ ...slot, face: kept[index] ?? '', held: index < kept.length }))
}

export function released(slots: readonly Slot[]): Slot[] {
  return slots.map((slot) => ({ ...slot, held: false }))
}

/** The legal move, of those given, that keeps what is held. */
export function keepMove(moves: readonly { text: string }[], slots: readonly Slot[]): string | null {
  const held = slots.filter((slot) => slot.held).map((slot) => slot.face)
  const found = moves.find(({ text }) => {
    const [verb, ...faces] = text.split(' ')
    return verb === 'keep' && sameFaces(faces[0] === 'none' ? [] : faces, held)
  })
  return found?.text ?? null
}
