import { mount } from 'svelte'

import './app.css'
import App from './App.svelte'
import { keepForOffline } from './lib/offline'
import { prefs } from './lib/prefs.svelte'
import { allowSound } from './lib/sound'

prefs.apply()
for (const touch of ['click', 'keydown']) {
  addEventListener(touch, () => {
    if (prefs.sound) allowSound()
  })
}

const target = document.getElementById('app')
if (target) mount(App, { target })
addEventListener('load', keepForOffline)
