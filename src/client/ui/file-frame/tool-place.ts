import { createContext, type ReactNode } from 'react'

/** The place of the toolbars of a viewer in an open file. */
type ToolPlacement = {
  /** The look of the toolbar of a document: a part of the bar of the file, a bar that floats above the content, or a strip below it. */
  readonly look: 'part' | 'float' | 'below'
  /** Renders the toolbars at their place. */
  readonly render: (toolbars: ReactNode) => ReactNode
}

/** The place of the toolbars of a viewer, or null where the viewer decides, as in the quick look and for guests. */
export const ToolPlace = createContext<ToolPlacement | null>(null)
