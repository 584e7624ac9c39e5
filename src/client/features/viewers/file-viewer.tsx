import { type ReactNode, Suspense, useState } from 'react'
import type { ViewerProps } from './viewer.ts'
import { viewerOf } from './viewers.ts'

type FileViewerProps = Omit<ViewerProps, 'onBroken'> & {
  /** Shown for a file that has no viewer, or that the browser cannot show. */
  readonly fallback: ReactNode
}

/** Shows the content of a file with the viewer for it. */
export function FileViewer({ fallback, ...props }: FileViewerProps) {
  const [isBroken, setBroken] = useState(false)
  const viewer = viewerOf(props.file)
  if (viewer === undefined || isBroken) return fallback
  return (
    <Suspense>
      <viewer.Component {...props} onBroken={() => setBroken(true)} />
    </Suspense>
  )
}
