// The rules of the games as blocks to draw, each asked for once.
import { api } from './api'
import { blocksOf, type Block } from './markdown'

const asked = new Map<string, Promise<Block[]>>()

export function rulesOf(game: string): Promise<Block[]> {
  let found = asked.get(game)
  if (!found) {
    found = api.rules(game).then(blocksOf)
    asked.set(game, found)
    found.catch(() => asked.delete(game))
  }
  return found
}
