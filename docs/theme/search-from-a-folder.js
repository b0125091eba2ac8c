// Lets the search work when the pages are opened from a folder: browsers start no worker from a file, so it runs in a frame.
if (location.protocol === 'file:') {
  /** Messages are copied, and come in their own time, not while they are sent. */
  const deliver = (receiver, data) => {
    const copy = structuredClone(data)
    setTimeout(() => receiver.onmessage?.(new MessageEvent('message', { data: copy })))
  }

  window.Worker = class {
    onmessage = null
    onerror = null

    constructor(url) {
      this.frame = document.createElement('iframe')
      this.frame.hidden = true
      document.body.append(this.frame)
      this.inside = this.frame.contentWindow
      this.inside.postMessage = (data) => deliver(this, data)
      const script = this.inside.document.createElement('script')
      script.src = url
      this.ready = new Promise((resolve) => (script.onload = resolve))
      script.onerror = (event) => this.onerror?.(event)
      this.inside.document.body.append(script)
    }

    postMessage(data) {
      this.ready.then(() => deliver(this.inside, data))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
