import { type ReactNode, Suspense, useState } from 'react'
import type { ViewerProps } from './viewer.ts'
import { viewerOf } from './viewers.ts'

type FileViewerProps = Omit<ViewerProps, 'onBroken'> & {
  /** Renders what is shown for a file that has no viewer, or that the browser cannot show, with the reason or null. */
  readonly renderFallback: (reason: string | null) => ReactNode
}

/** Shows the content of a file with the viewer for it. */
export function FileViewer({ renderFallback, ...props }: FileViewerProps) {
  const [broken, setBroken] = useState<{ readonly reason: string | null } | null>(null)
  const viewer = viewerOf(props.file)
  if (viewer === undefined || broken !== null) return renderFallback(broken?.reason ?? null)
  return (
    <Suspense>
      <viewer.Component {...props} onBroken={(reason) => setBroken({ reason: reason ?? null })} />
    </Suspense>
  )
}
