/** How many pixels a rem is: 16, or more where a window or the text that somebody has set is larger. */
export function rem(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize)
}
