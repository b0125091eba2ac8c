import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'

/** Puts the one script and the one style of a page into the page itself. */
function inlined(): Plugin {
  return {
    name: 'inlined',
    enforce: 'post',
    generateBundle: {
      order: 'post', // once Vite has written what it writes into the script
      handler(_, bundle) {
        const page = bundle['viewer.html']
        if (page?.type !== 'asset') return
        let html = String(page.source)
        for (const [name, file] of Object.entries(bundle)) {
          if (file === page) continue
          const escaped = (text: string) => text.replace(/<\/(script|style)/gi, '<\\/$1').replace(/<!--/g, '<\\!--')
          if (file.type === 'chunk')
            html = html
              .replace(/<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/, '')
              .replace('</body>', () => `<script type="module">${escaped(file.code)}</script>\n</body>`)
          else if (name.endsWith('.css')) html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(file.source)}</style>`)
          delete bundle[name]
        }
        page.source = html
      },
    },
  }
}

// The review of a game in one file, which `hotdice.server.review_file` fills in.
export default defineConfig({
  plugins: [svelte(), inlined()],
  publicDir: false,
  build: {
    outDir: '../src/hotdice/review/viewer',
    emptyOutDir: true,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    target: ['chrome111', 'firefox121', 'safari16.4'],
    modulePreload: false,
    rolldownOptions: { input: 'viewer.html', output: { codeSplitting: false } },
  },
})
