import { type ComponentType, lazy, type LazyExoticComponent, type ReactNode, Suspense, useState } from 'react'
import type { ViewerProps } from './viewer.ts'

/** The viewers by the type of the file. Each viewer is one folder, and is loaded with the first file that it shows. */
const viewers: Readonly<Record<string, LazyExoticComponent<ComponentType<ViewerProps>>>> = {
  image: lazy(() => import('./image/image-viewer.tsx').then((module) => ({ default: module.ImageViewer }))),
  video: lazy(() => import('./media/video-viewer.tsx').then((module) => ({ default: module.VideoViewer }))),
  audio: lazy(() => import('./media/audio-viewer.tsx').then((module) => ({ default: module.AudioViewer }))),
}

type FileViewerProps = Omit<ViewerProps, 'onBroken'> & {
  /** Shown for a file that has no viewer, or that the browser cannot show. */
  readonly fallback: ReactNode
}

/** Shows the content of a file with the viewer of its type. */
export function FileViewer({ path, file, fallback }: FileViewerProps) {
  const [isBroken, setBroken] = useState(false)
  const Viewer = viewers[file.type]
  if (Viewer === undefined || isBroken) return fallback
  return (
    <Suspense>
      <Viewer path={path} file={file} onBroken={() => setBroken(true)} />
    </Suspense>
  )
}
