// A guided first game in the browser: a table that is fed by a lesson instead of the server. The learner's wishes are compared with the
// lesson's next step; another move is answered with the teacher's hint, and nothing has happened.
import { kept } from './kept'
import type { Connection, Listener, Wish } from './link'
import { Table } from './table.svelte'
import type { LessonScene, LessonShown, LessonStep } from './types'

const NOT_YET = 'First read on: press “Go on”.'

export class Lesson {
  scene = $state(0)
  step = $state(0)
  table = $state.raw<Table>() as Table
  /** Whether the last scene is behind us. */
  over = $state(false)
  private listener: Listener | null = null

  readonly part = $derived.by(() => this.shown.scenes[this.scene] as LessonScene)
  readonly current = $derived(this.part.steps[this.step] as LessonStep)
  /** What the teacher said last. */
  readonly said = $derived(this.part.steps.slice(0, this.step + 1).findLast((step) => step.says)?.says ?? '')
  /** How far this is, from 0 to 1. */
  readonly share = $derived.by(() => {
    const lengths = this.shown.scenes.map((scene) => scene.steps.length)
    const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
    return this.over ? 1 : (sum(lengths.slice(0, this.scene)) + this.step) / sum(lengths)
  })

  constructor(private readonly shown: LessonShown) {
    const place = kept.lesson(shown.game)
    const steps = shown.scenes[place?.scene ?? 0]?.steps.length ?? 0
    if (place && place.step < steps) [this.scene, this.step] = [place.scene, place.step]
    this.table = this.open()
  }

  /** Whether the learner goes on by a press, not by a move. */
  get pausing(): boolean {
    return !this.current.learner
  }

  get rules(): LessonShown['rules'] {
    return this.shown.rules
  }

  /** Let what was announced happen, or turn to the next scene. */
  goOn(): void {
    if (!this.pausing || this.table.showing) return
    if (this.current.updates.length) this.play()
    else if (this.scene + 1 < this.shown.scenes.length) this.turnTo(this.scene + 1)
    else this.finish()
  }

  /** Begin a scene. */
  turnTo(scene: number): void {
    ;[this.scene, this.step, this.over] = [scene, 0, false]
    this.keep()
    this.table.close()
    this.table = this.open()
  }

  private finish(): void {
    this.over = true
    kept.keepLesson(this.shown.game, { scene: 0, step: 0, done: true })
  }

  close(): void {
    this.table.close()
  }

  /** A table at the step that has been reached. */
  private open(): Table {
    return new Table('', (listener) => {
      this.listener = listener
      const { welcome, steps } = this.part
      const before = steps.slice(0, this.step).flatMap((step) => step.updates)
      // Once the table is made: it has to be there to hear anything.
      queueMicrotask(() => {
        listener.changed('open', 0)
        listener.heard({ ...welcome, events: [...welcome.events, ...before.flatMap((update) => update.events)], state: before.at(-1)?.state ?? welcome.state })
      })
      const connection: Connection = { send: (wish) => this.answer(wish), tell: () => undefined, close: () => undefined }
      return connection
    })
  }

  private answer(wish: Wish): void {
    const { learner, move, hint } = this.current
    const right = learner && (wish.do === 'roll' ? !move : wish.do === 'move' && wish.move === move)
    if (!right) {
      this.listener?.heard({ type: 'illegal', id: wish.id, message: learner ? hint : NOT_YET })
      return
    }
    this.listener?.heard({ type: 'accepted', id: wish.id, number: 0 })
    this.play()
  }

  private play(): void {
    const { updates } = this.current
    this.step += 1
    this.keep()
    for (const update of updates) this.listener?.heard(update)
  }

  private keep(): void {
    kept.keepLesson(this.shown.game, { scene: this.scene, step: this.step, done: kept.lesson(this.shown.game)?.done ?? false })
  }
}
