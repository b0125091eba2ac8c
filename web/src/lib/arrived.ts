// Where the keyboard goes when what it was on has left the page.

/** For a heading: whoever came here by pressing something that is gone by now goes on from it, and hears where they are. */
export function arrived(heading: HTMLElement): void {
  if (navigator.userActivation?.hasBeenActive && document.activeElement === document.body) heading.focus({ preventScroll: true })
}
