// The drawings in docs/rules/images are those of the app as it is now; `make docs` writes them anew (`npm run figures` here).
import { expect, it } from 'vitest'

import { drawings } from './figures'

it.each([...drawings()])('%s is as it is drawn now', async (name, svg) => {
  await expect(svg).toMatchFileSnapshot(`../../../docs/rules/images/${name}`)
})

it('leaves nothing to the app’s pages', () => {
  for (const svg of drawings().values()) expect(svg).not.toMatch(/var\(|undefined|NaN|<!--/)
})
