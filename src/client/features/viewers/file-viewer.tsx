import { type ReactNode, useState } from 'react'
import type { BrokenCause } from './broken-cause.ts'
import { damagedReason } from './frame/damaged-reason.ts'
import type { ViewedFile, ViewerProps } from './viewer.ts'
import { viewerOf } from './viewers.ts'

type FileViewerProps = Omit<ViewerProps, 'onBroken'> & {
  /** Renders what is shown for a file that has no viewer, or that the browser cannot show, with the reason or null. */
  readonly renderFallback: (reason: string | null) => ReactNode
}

/** Shows the content of a file with the viewer for it. An image that has the name of another kind gets the viewer of its content. */
export function FileViewer({ renderFallback, ...props }: FileViewerProps) {
  const { file } = props
  const [broken, setBroken] = useState<{ readonly reason: string | null } | null>(null)
  const [fittingName, setFittingName] = useState(file.name)
  const viewer = viewerOf({ ...file, name: fittingName })
  if (viewer === undefined || broken !== null) return renderFallback(broken?.reason ?? null)
  const explain = async (): Promise<void> => {
    const cause = await findCause(file)
    if (cause?.kind === 'damaged') setBroken({ reason: damagedReason() })
    if (cause?.kind !== 'image' || viewerOf({ ...file, name: cause.fittingName }) === viewer) return
    setFittingName(cause.fittingName)
    setBroken(null)
  }
  const onBroken = (reason?: string): void => {
    setBroken({ reason: reason ?? null })
    if (reason === undefined) void explain()
  }
  return <viewer.Component {...props} onBroken={onBroken} />
}

/** Returns why a file cannot be shown, when its first bytes tell that, or null. The check is loaded only for such files. */
async function findCause(file: ViewedFile): Promise<BrokenCause | null> {
  const check = await import('./broken-cause.ts').catch(() => null)
  return check === null ? null : check.brokenCauseOf(file)
}
