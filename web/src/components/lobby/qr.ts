// A QR code as one SVG path: a run of dark modules in a row is one rectangle.

export function qrPath(modules: readonly (readonly boolean[])[]): string {
  const parts: string[] = []
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x += 1
      parts.push(`M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`)
    }
  }
  return parts.join('')
}
