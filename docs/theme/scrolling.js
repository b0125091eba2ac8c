// Tables that are wider than the window scroll; so they do for whoever has a keyboard only.
addEventListener('load', () => {
  for (const box of document.querySelectorAll('.md-typeset__scrollwrap')) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
  }
})
