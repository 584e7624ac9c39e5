import { useLayoutEffect } from 'react'

/**
 * Sets a `data-` attribute of the root element while a component is shown, so that style sheets can adapt other parts of the
 * page. The name is written in camel case, and null sets no attribute. A selector that finds the component with `:has()` would
 * make the browser compute the style of much of the page anew for each row that is added (decision 189).
 */
export function useRootMark(name: string, value: string | null): void {
  useLayoutEffect(() => {
    if (value === null) return undefined
    const { dataset } = document.documentElement
    dataset[name] = value
    return () => void delete dataset[name]
  }, [name, value])
}
