// Keys that act wherever the focus is. They can be switched off: whoever dictates would press them without meaning to.
import { prefs } from './prefs.svelte'

/** The key of a shortcut; '' for one that is typed somewhere, pressed with others, held down, or not wanted. */
export function shortcut(event: KeyboardEvent): string {
  if (!prefs.keys && event.key.length === 1) return ''
  if (event.defaultPrevented || event.repeat || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return ''
  return (event.target as Element | null)?.closest('input, select, textarea, dialog') ? '' : event.key
}
