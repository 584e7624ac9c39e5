/** The distance between an element with a published height and what is placed beside the element, in CSS pixels. */
const gapPx = 8

/**
 * Publishes the height of an element as properties of the document, so that other elements leave room for the element.
 * `properties` has a function for each name of a property, which returns the value for the height with the gap. An
 * element that is not shown has no properties. The returned function ends this and removes the properties.
 */
export function publishHeight(
  element: HTMLElement,
  properties: Readonly<Record<string, (heightPx: number) => string>>,
): () => void {
  const { style } = document.documentElement
  const entries = Object.entries(properties)
  const observer = new ResizeObserver(() => {
    const heightPx = element.offsetHeight
    for (const [name, valueOf] of entries)
      style.setProperty(name, heightPx === 0 ? '' : valueOf(heightPx + gapPx))
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    for (const [name] of entries) style.removeProperty(name)
  }
}
