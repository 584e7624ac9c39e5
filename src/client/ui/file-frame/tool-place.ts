import { createContext, type ReactNode } from 'react'

/** The place of the toolbars of a viewer. */
export type ToolPlacement = {
  /** The looks of the toolbar of a document, and of the lower and the upper toolbar of a stage. */
  readonly document: 'strip' | 'part' | 'float' | 'below'
  readonly stage: 'float' | 'part'
  readonly upper: 'floatTop' | 'part'
  /** Renders the toolbars that do not stand above the content. */
  readonly render: (toolbars: ReactNode) => ReactNode
}

/** The place in the frame of the viewer itself, as in the quick look and for guests. */
export const ownToolPlace: ToolPlacement = {
  document: 'strip',
  stage: 'float',
  upper: 'floatTop',
  render: (toolbars) => toolbars,
}

export const ToolPlace = createContext(ownToolPlace)
