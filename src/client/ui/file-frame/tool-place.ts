import { createContext } from 'react'

/**
 * The place of the toolbars of a viewer: an element in the bar of the open file, `floating` above the content, `below` the content, or
 * null where the viewer decides, as in the quick look and for guests.
 */
export const ToolPlace = createContext<HTMLElement | 'floating' | 'below' | null>(null)
