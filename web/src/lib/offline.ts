// Has the browser keep the app's files, where it lets a page do that (over https, or on the server's own machine).

export function keepForOffline(): void {
  const workers = (navigator as Partial<Navigator>).serviceWorker
  if (!workers || !import.meta.env.PROD) return
  void workers
    .register('/sw.js')
    .then(() => workers.ready)
    .then(({ active }) => {
      const loaded = performance.getEntriesByType('resource').map((entry) => entry.name)
      active?.postMessage({ keep: loaded })
    })
    .catch(() => {
      // A certificate that nobody trusts yet, or a private window: the app just needs its connection.
    })
}
