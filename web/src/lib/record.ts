// Reads the record of a game as far as its dice are concerned: who sat there, where the rolls came from, and every roll.
// Whether the moves were legal is for `hotdice verify` to say, which knows the rules.

export interface RecordedRoll {
  /** Its line in the text, counted from 1. */
  line: number
  /** Counted from 0. */
  seat: number
  faces: string[]
}

/** What a seat, counted from 0, has in the dice: its string, or the seal of one that was never revealed. */
export interface RecordedShare {
  seat: number
  string: string
  seal: string
}

export interface FairSource {
  kind: 'fair'
  version: 1 | 2
  table: string
  commitment: string
  /** Null while the game goes on. */
  secret: string | null
  /** What players contributed, as the messages of the rolls have it. */
  parts: string[]
  /** Of dice by turns, whether each seat has its own or all have the same; nothing where rolls are counted instead. */
  turns: '' | 'own' | 'same'
  /** Since the second version. */
  shares: RecordedShare[]
  /** By which key the promise was signed, and when, in milliseconds; null if it was not. */
  signed: { at: number; key: string } | null
}

export type Source = FairSource | { kind: 'seeded' | 'manual' | 'recorded' }

export interface GameRecord {
  game: string
  date: string
  names: string[]
  dice: Source
  rolls: RecordedRoll[]
  result: string
  /** Whether it went on from another game, with new dice. */
  continued: boolean
}

/** A text that is no record; the message is for a person. */
export class NoRecord extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(`Line ${line}: ${message}`)
  }
}

const FIRST = 'hotdice record 1'
const WORD = /^[A-Za-z0-9_-]{1,64}$/
const HASH = /^[0-9a-f]{64}$/
const HIDDEN = 'hidden'
/** The kinds of fair dice. */
const TURNS: Readonly<Record<string, FairSource['turns']>> = { fair: '', fair2: '', 'fair2-turns': 'own', 'fair2-same': 'same' }
/** By which a server says that a game goes on after a backup was restored. */
const ANEW = '# continued with new dice'
const SHARE = /^([1-9][0-9]?):(?:withheld:([0-9a-f]{64})|([A-Za-z0-9_-]{1,64}))$/
const SIGNED = /^signed:([0-9]{1,15}):([0-9a-f]{64}):[0-9a-f]{128}$/

export function readRecord(text: string): GameRecord {
  const lines = text.split('\n')
  let at = 0
  const line = () => lines[at] ?? ''
  const fail = (message: string): never => {
    throw new NoRecord(message, at + 1)
  }
  const next = () => {
    at += 1
    if (at >= lines.length) {
      at -= 1
      fail('the record is cut short; its last line should be “result: …”.')
    }
  }
  const value = (key: string): string => {
    const start = `${key}: `
    return line().startsWith(start) ? line().slice(start.length) : fail(`this should be “${start}…”.`)
  }

  if (line() !== FIRST) fail(`this is no record; the first line of one is “${FIRST}”.`)
  next()
  const game = /^([a-z][a-z0-9_]*)(\(.*\))?$/.exec(value('game'))?.[1] ?? fail('there is no such game.')
  next()
  let continued = line().startsWith('from: ') // a game that began at a position
  if (continued) next()
  const date = value('date')
  next()
  const names: string[] = []
  while (line().startsWith('seat ')) {
    names.push(/^(.+) \([a-z][a-z0-9-]*\)$/.exec(value(`seat ${names.length + 1}`))?.[1] ?? fail('a seat is a name and a kind in brackets.'))
    next()
  }
  const dice = readSource(value('dice'), fail)
  next()
  if (line()) fail('an empty line parts the head of a record from its events.')
  next()
  const rolls: RecordedRoll[] = []
  while (!line().startsWith('result: ')) {
    continued ||= line().startsWith(ANEW)
    if (!line().startsWith('#')) {
      const [, number = '', rest = ''] = /^(\d+) (.+)$/.exec(line()) ?? []
      const seat = Number(number) - 1
      if (!rest || seat < 0 || seat >= names.length) fail('an event starts with its seat and a space.')
      if (rest.startsWith('rolls ')) rolls.push({ line: at + 1, seat, faces: rest.slice('rolls '.length).split(' ') })
    }
    next()
  }
  const result = value('result')
  next()
  if (line() || at !== lines.length - 1) fail('nothing may follow the result.')
  return { game, date, names, dice, rolls, result, continued }
}

function readSource(text: string, fail: (message: string) => never): Source {
  const [kind = '', ...fields] = text.split(' ')
  if (kind === 'manual' || kind === 'recorded' || kind === 'seeded') return { kind }
  if (kind === 'seeded-same') return { kind: 'seeded' }
  const turns = TURNS[kind]
  if (turns === undefined || fields.length < 3) return fail('this is no source of dice.')
  const [table = '', commitment = '', secret = '', ...words] = fields
  if (!WORD.test(table)) fail('a table has 1 to 64 letters, digits, - and _.')
  if (!HASH.test(commitment) || !(secret === HIDDEN || HASH.test(secret))) fail('a promise and a secret have 64 hexadecimal digits each.')
  const source = { kind: 'fair', table, commitment, secret: secret === HIDDEN ? null : secret, turns } as const
  if (kind === 'fair') {
    if (!words.every((word) => WORD.test(word))) fail('a string has 1 to 64 letters, digits, - and _.')
    return { ...source, version: 1, parts: words, shares: [], signed: null }
  }
  const signature = SIGNED.exec(words[0] ?? '')
  const shares = words.slice(signature ? 1 : 0).map((word): RecordedShare => {
    const [, seat, seal = '', string = ''] = SHARE.exec(word) ?? fail(`“${word}” is no share in the dice.`)
    return { seat: Number(seat) - 1, string, seal }
  })
  if (shares.some((share, at) => at && share.seat <= (shares[at - 1]?.seat ?? 0))) fail('the shares in the dice stand in the order of their seats.')
  const parts = shares.filter((share) => share.string).map((share) => `${share.seat + 1}:${share.string}`)
  return { ...source, version: 2, parts, shares, signed: signature ? { at: Number(signature[1]), key: signature[2] ?? '' } : null }
}
