// What the browser keeps for this page between visits.

/** For browsers that keep nothing: it lasts until the page is closed. */
const memory = new Map<string, string>()

export function fetched(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

export function write(key: string, value: string): void {
  memory.set(key, value)
  try {
    localStorage.setItem(key, value)
  } catch {
    // Then it is in memory alone.
  }
}
