// Keeps the app's own files, so that it opens without a connection and says so in its own words. What a table is about is never
// kept: /api and /ws go past this. So does the documentation, which is no page of the app.
const worker = self as unknown as ServiceWorkerGlobalScope

const CACHE = 'hotdice'
/** More files than any version of the app has; the oldest go first. */
const MOST = 150

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.add('/'))
      .then(() => worker.skipWaiting()),
  )
})

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

// A page says what it had loaded before this was here.
worker.addEventListener('message', (event) => {
  const loaded = (event.data as { keep: string[] }).keep
  event.waitUntil(keep(loaded.filter((url) => isFile(new URL(url)))))
})

worker.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== location.origin) return
  if (event.request.mode === 'navigate') {
    if (!/^\/(certificate|api\/|docs(\/|$))/.test(url.pathname)) event.respondWith(page(event.request))
  } else if (url.pathname.startsWith('/assets/')) {
    event.respondWith(file(event.request))
  }
})

/** What never changes under its name, or is part of the page's frame. */
function isFile(url: URL): boolean {
  return url.origin === location.origin && /^\/(assets\/|favicon|icon|hotdice\.webmanifest)/.test(url.pathname)
}

/** The page from the server; if that does not answer, the page as it was. Every address has the same one. */
async function page(request: Request): Promise<Response> {
  try {
    const fresh = await fetch(request)
    if (fresh.ok && !fresh.redirected) await (await caches.open(CACHE)).put('/', fresh.clone())
    return fresh
  } catch (error) {
    const kept = await caches.match('/')
    if (kept) return kept
    throw error
  }
}

/** A file whose name changes with what is in it. */
async function file(request: Request): Promise<Response> {
  const kept = await caches.match(request)
  if (kept) return kept
  const fresh = await fetch(request)
  if (fresh.ok) {
    const cache = await caches.open(CACHE)
    await cache.put(request, fresh.clone())
    const old = (await cache.keys()).filter(({ url }) => isFile(new URL(url))).slice(0, -MOST)
    for (const { url } of old) await cache.delete(url)
  }
  return fresh
}

async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const url of urls) {
    if (!(await cache.match(url))) await cache.add(url).catch(() => {}) // it is fetched again when it is needed
  }
}
