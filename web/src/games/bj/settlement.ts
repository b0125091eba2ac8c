// The words of a result: first why the game ended, then who owes whom.

export function splitReason(reason: string): { why: string; settlement: string } {
  const [, why = reason, settlement = ''] = /^(.*?[.]) (.+)$/.exec(reason) ?? []
  return { why, settlement }
}
