import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

declare const process: { env: Record<string, string | undefined> }

const port = process.env.HOTDICE_PORT ?? '8017'

// The built app goes where the server finds it. Nothing is inlined as a data: address: the server's policy forbids those.
export default defineConfig({
  // Drawings that tests render carry their styles with them.
  plugins: [svelte({ compilerOptions: process.env.VITEST ? { css: 'injected' } : {} })],
  build: {
    outDir: '../src/hotdice/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The oldest that have all that the pages cannot do without: container queries, color-mix(), :has() and dvh.
    target: ['chrome111', 'firefox121', 'safari16.4'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/worker/sw.ts' },
      // The service worker stands at the top, as it serves what lies below it, and keeps its name, by which browsers look for a new one.
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: {
    // `npm run dev` shows changes at once, beside a `hotdice serve --port $HOTDICE_PORT --origin http://localhost:5173`.
    proxy: { '/api': `http://localhost:${port}`, '/ws': { target: `ws://localhost:${port}`, ws: true } },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node', css: true },
})
