import { type ReactNode, useState } from 'react'
import { damagedReason } from './damaged-reason.ts'
import type { ViewedFile, ViewerProps } from './viewer.ts'
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
  const onBroken = (reason?: string): void => {
    setBroken({ reason: reason ?? null })
    if (reason === undefined)
      void findReason(props.file).then((found) => found !== null && setBroken({ reason: found }))
  }
  return <viewer.Component {...props} onBroken={onBroken} />
}

/** Returns why a file cannot be shown, when its first bytes tell that, or null. The check is loaded only for such files. */
async function findReason(file: ViewedFile): Promise<string | null> {
  const check = await import('./is-damaged.ts').catch(() => null)
  return (await check?.isDamaged(file)) === true ? damagedReason() : null
}
