/** Runs in the browser, on the page that is looked at: see `Layout`. */
;(() => {
  const channels = colour => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = colour => {
    const [red = 0, green = 0, blue = 0] = channels(colour).map(value => {
      const share = value / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = element => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if ((channels(backgroundColor)[3] ?? 1) > 0) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const faint = []
  for (const element of document.querySelectorAll('p,dt,dd,th,td,h1,h2,li,caption,figcaption,svg text')) {
    const text = element.textContent.trim()
    const style = getComputedStyle(element)
    const colour = element instanceof SVGElement ? style.fill : style.color
    const [one, other] = [luminance(colour), luminance(behind(element))]
    if (text !== '' && (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5) faint.push(text)
  }
  const clashing = []
  for (const svg of document.querySelectorAll('svg')) {
    const edge = svg.getBoundingClientRect()
    const boxes = [...svg.querySelectorAll('text')].map(text => ({
      text: text.lastChild?.textContent ?? '',
      box: text.getBoundingClientRect(),
    }))
    for (const [nth, { text, box }] of boxes.entries()) {
      if (box.left < edge.left - 1 || box.right > edge.right + 1 || box.bottom > edge.bottom + 1)
        clashing.push(`${text} goes beyond the edge`)
      for (const other of boxes.slice(nth + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)
        if (across > 1 && down > 3) clashing.push(`${text} | ${other.text}`)
      }
    }
  }
  const unnamed = [...document.querySelectorAll('svg,table')].filter(element =>
    element.tagName === 'TABLE'
      ? !element.querySelector('caption')?.textContent
      : !element.querySelector('title')?.textContent || !element.querySelector('desc')?.textContent,
  )
  return {
    background: getComputedStyle(document.body).backgroundColor,
    pageWidth: document.documentElement.scrollWidth,
    faint,
    clashing,
    unnamed: unnamed.map(element => element.outerHTML.slice(0, 80)),
    plots: document.querySelectorAll('svg').length,
  }
})()
