// Sounds, made here: short bursts of filtered noise for dice on a table, and a soft chime.

let context: AudioContext | null = null

/** Milliseconds after which a sound would be about something that is over. */
const LATE = 300

/** Make a sound, unless the browser has none, or lets us too late. */
async function heard(make: (sound: AudioContext) => void): Promise<void> {
  const asked = Date.now()
  try {
    if (!navigator.userActivation.hasBeenActive) return // no browser lets a page sound that nobody has touched
    context ??= new AudioContext()
    // It is also `interrupted`, in Safari, after a call or a locked screen.
    if (context.state !== 'running') await context.resume()
    if (Date.now() - asked < LATE) make(context)
  } catch {
    // Then it is quiet.
  }
}

/** Call this on a tap or a key: in Safari a page is heard from then on, and dice fall later than that. */
export function allowSound(): void {
  void heard(() => {})
}

function knock(sound: AudioContext, at: number, loudness: number): void {
  const length = Math.floor(sound.sampleRate * 0.05)
  const buffer = sound.createBuffer(1, length, sound.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 6
  const source = sound.createBufferSource()
  source.buffer = buffer
  const filter = sound.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = 900 + 900 * Math.random()
  filter.Q.value = 1.2
  const gain = sound.createGain()
  gain.gain.value = loudness
  source.connect(filter).connect(gain).connect(sound.destination)
  source.start(at)
}

/** So many dice rattle for so many milliseconds and land one after the other. */
export function rattle(dice: number, milliseconds: number): void {
  const seconds = milliseconds / 1000
  void heard((sound) => {
    for (let i = 0; i < dice * 2; i++) knock(sound, sound.currentTime + Math.random() * seconds * 0.6, 0.12)
    for (let i = 0; i < dice; i++) knock(sound, sound.currentTime + seconds * (0.65 + (0.35 * i) / dice), 0.4)
  })
}

/** Whether this device can buzz: a phone whose browser lets pages do that. */
export const canBuzz = typeof globalThis.navigator?.vibrate === 'function' && globalThis.matchMedia?.('(pointer: coarse)').matches

/** So many dice land in the hand. */
export function buzz(dice: number): void {
  if (canBuzz) navigator.vibrate(Array.from({ length: Math.min(dice, 6) * 2 - 1 }, (_, i) => (i % 2 ? 35 : 18)))
}

/** It is somebody's turn here. */
export function chime(): void {
  void heard((sound) => {
    for (const [step, pitch] of [660, 880].entries()) {
      const tone = sound.createOscillator()
      const gain = sound.createGain()
      const at = sound.currentTime + step * 0.12
      tone.frequency.value = pitch
      gain.gain.setValueAtTime(0.0001, at)
      gain.gain.exponentialRampToValueAtTime(0.12, at + 0.02)
      gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.35)
      tone.connect(gain).connect(sound.destination)
      tone.start(at)
      tone.stop(at + 0.4)
    }
  })
}
