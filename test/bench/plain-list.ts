/**
 * The height of a row of the plain list in CSS pixels. With it, a million rows are not higher than the highest element
 * of Chromium, which has 33,554,428 px.
 */
const rowHeight = 33

/**
 * Returns an HTML page with a list of `count` rows that renders only the rows in view. It is written without a framework
 * and without anything that a file manager needs besides names, sizes and dates. It has the keys *Home* and *End* and the
 * attributes that the measurements look for.
 */
export const plainList = (count: number): string => `<!doctype html>
<style>
  body { margin: 0; font: 14px sans-serif }
  #listing { position: relative; height: 100vh; overflow: auto; overflow-anchor: none }
  [role=row] { position: absolute; display: grid; grid-template-columns: 1fr 6rem 10rem; align-items: center; width: 100%; height: ${rowHeight}px }
</style>
<div id="listing"><div role="grid" style="height: ${count * rowHeight}px"></div></div>
<script>
  const listing = document.querySelector('#listing')
  const grid = listing.firstElementChild
  const rowOf = (index) =>
    '<div role="row" tabindex="-1" aria-rowindex="' + (index + 2) + '" data-name="entry-' + index + '.txt" style="top: ' +
    index * ${rowHeight} + 'px"><span role="rowheader">entry-' + index +
    '.txt</span><span>0 B</span><span>10 minutes ago</span></div>'
  let shown = -1
  const render = () => {
    const first = Math.floor(listing.scrollTop / ${rowHeight})
    if (first === shown) return
    shown = first
    const end = Math.min(first + Math.ceil(listing.clientHeight / ${rowHeight}) + 1, ${count})
    grid.innerHTML = Array.from({ length: end - first }, (_, at) => rowOf(first + at)).join('')
  }
  listing.addEventListener('scroll', render)
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Home' && key !== 'End') return
    listing.scrollTop = key === 'Home' ? 0 : listing.scrollHeight
    render()
    const row = key === 'Home' ? grid.firstElementChild : grid.lastElementChild
    row.focus({ preventScroll: true })
  })
  render()
</script>`
