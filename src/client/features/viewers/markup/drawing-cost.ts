import { isSlowText } from './slow-text.ts'

/**
 * The largest number of elements that a browser draws for a drawing. Browsers draw an image in the thread of the page: this
 * number takes about a second, and ten levels of ten copies each never end.
 */
const maxElements = 200_000

/** The largest number of elements of an animated drawing, which is drawn again for each frame. */
const maxAnimated = 5000

/** The elements that are drawn again for each element that refers to them. */
const copiedNames = new Set(['clipPath', 'filter', 'marker', 'mask', 'pattern', 'symbol'])

const animation = /^(animate|animateMotion|animateTransform|set)$/
/** An image inside of a drawing that is a drawing, and a style that hides what it refers to. */
const hiddenContent = /data:(?!image\/(avif|gif|jpe?g|png|webp)[;,]|font\/|application\/[\w-]*font)|[\\]/i
const reference = /url\(\s*["']?#([^"')]+)["']?\s*\)/g

/**
 * Returns true for a drawing (SVG) that would keep the page busy. An element that others refer to counts for each of them.
 */
export function isTooComplexDrawing(drawing: Document): boolean {
  const elements = drawing.getElementsByTagName('*')
  if (elements.length > maxElements || isSlowText(drawing.documentElement.textContent ?? '')) return true
  const styles: string[] = []
  let isAnimated = false
  for (const element of elements) {
    if (animation.test(element.localName)) isAnimated = true
    styles.push(
      element.localName === 'style' ? (element.textContent ?? '') : (element.getAttribute('style') ?? ''),
    )
    for (const { value } of element.attributes) if (hiddenContent.test(value)) return true
  }
  const style = styles.join('\n')
  if (hiddenContent.test(style)) return true
  if (isAnimated || /animation|transition/i.test(style)) if (elements.length > maxAnimated) return true
  return drawnElements(drawing, targetsIn(style)) > maxElements
}

const targetsIn = (text: string): readonly string[] =>
  text.includes('url(') ? Array.from(text.matchAll(reference), ([, id = '']) => id) : []

type DrawnElement = { readonly element: Element; readonly isCopied: boolean }

/**
 * Returns the number of elements that are drawn, or a number above the limit. The targets of the style count for each element
 * that is copied itself, because only the browser knows to which elements a style applies.
 */
function drawnElements(drawing: Document, styleTargets: readonly string[]): number {
  const waiting: DrawnElement[] = [{ element: drawing.documentElement, isCopied: false }]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { element, isCopied } = next
    count += 1
    if (count + waiting.length > maxElements) break
    for (const child of element.children) waiting.push({ element: child, isCopied })
    const targets = [...referencesOf(element), ...(isCopied ? styleTargets : [])]
    for (const id of targets) {
      const target = drawing.getElementById(id)
      if (target === null || (element.localName !== 'use' && !copiedNames.has(target.localName))) continue
      const copies = target.localName === 'marker' ? cornersOf(element) : 1
      if (count + waiting.length + copies > maxElements) return maxElements + 1
      for (let copy = 0; copy < copies; copy += 1) waiting.push({ element: target, isCopied: true })
    }
  }
  return count + waiting.length
}

function referencesOf(element: Element): readonly string[] {
  const ids: string[] = []
  for (const { name, value } of element.attributes) {
    if (/(^|:)href$/.test(name) && value.trim().startsWith('#')) ids.push(value.trim().slice(1))
    else if (value.includes('url(')) ids.push(...targetsIn(value))
  }
  return ids
}

/** Returns the number of corners of a line, or more. A marker is drawn at each of them. */
const cornersOf = (line: Element): number =>
  `${line.getAttribute('d') ?? ''} ${line.getAttribute('points') ?? ''}`.split(/[\s,a-z]+/i).length + 1
