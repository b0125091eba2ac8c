// Keeps the screen on, where the browser lets a page do that. It lets go whenever the page is out of sight, so it is asked again then.

/** Keep the screen on until the answer is called. */
export function stayAwake(): () => void {
  const locks = (navigator as Partial<Navigator>).wakeLock
  if (!locks) return () => {}
  let lock: WakeLockSentinel | null = null
  let over = false
  const ask = async () => {
    if (over || document.visibilityState !== 'visible' || (lock && !lock.released)) return
    try {
      const given = await locks.request('screen')
      if (over) await given.release()
      else lock = given
    } catch {
      // The battery is low, or somebody forbids it: the screen goes off as it would.
    }
  }
  const seen = () => void ask()
  document.addEventListener('visibilitychange', seen)
  seen()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', seen)
    void lock?.release()
  }
}
