import type { ComponentType, FunctionComponent } from 'react'
import { archiveNameOf } from '../../../shared/domain/archive-names.ts'
import { isTextFile } from '../../../shared/domain/file-kind.ts'
import { hasExtension, isDrawing, isRaw, isTiff } from './image-names.ts'
import { textRenderingOf } from './text-renderings.ts'
import { ViewerLoading } from './frame/viewer-loading.tsx'
import type { ViewedFile, ViewerProps } from './viewer.ts'
import { lazyPart } from '../../state/parts/lazy-part.ts'

/** A viewer, and the files that it shows. Each viewer is one folder, and is loaded with the first file that it shows. */
export type Viewer = {
  readonly shows: (file: ViewedFile) => boolean
  readonly Component: FunctionComponent<ViewerProps>
}

const viewerPart = (load: () => Promise<ComponentType<ViewerProps>>): FunctionComponent<ViewerProps> =>
  lazyPart(load, ViewerLoading)

const plainTextViewer: Viewer = {
  shows: ({ type, name, sizeBytes }) => isTextFile(name, type, sizeBytes),
  Component: viewerPart(async () => (await import('./text/text-viewer.tsx')).TextViewer),
}

/** The viewers. The first one that shows a file is used, so a viewer of a special format stands above the general ones. */
const viewers: readonly Viewer[] = [
  {
    shows: ({ type, name }) => type === 'image' && isTiff(name),
    Component: viewerPart(async () => (await import('./tiff/tiff-viewer.tsx')).TiffViewer),
  },
  {
    shows: ({ type, name }) => type === 'image' && isRaw(name),
    Component: viewerPart(async () => (await import('./raw/raw-viewer.tsx')).RawViewer),
  },
  {
    shows: ({ type, name }) => type === 'image' && isDrawing(name),
    Component: viewerPart(async () => (await import('./image/drawing-viewer.tsx')).DrawingViewer),
  },
  {
    shows: ({ type }) => type === 'image',
    Component: viewerPart(async () => (await import('./image/image-viewer.tsx')).ImageViewer),
  },
  {
    shows: ({ type }) => type === 'video',
    Component: viewerPart(async () => (await import('./media/video-viewer.tsx')).VideoViewer),
  },
  {
    shows: ({ type }) => type === 'audio',
    Component: viewerPart(async () => (await import('./media/audio-viewer.tsx')).AudioViewer),
  },
  {
    shows: ({ type }) => type === 'pdf',
    Component: viewerPart(async () => (await import('./pdf/pdf-viewer.tsx')).PdfViewer),
  },
  {
    shows: ({ type, name }) => type === 'blob' && hasExtension(name, ['ttf', 'otf', 'woff', 'woff2']),
    Component: viewerPart(async () => (await import('./font/font-viewer.tsx')).FontViewer),
  },
  {
    shows: ({ type, name }) => type === 'blob' && hasExtension(name, ['cbz']),
    Component: viewerPart(async () => (await import('./comic/comic-viewer.tsx')).ComicViewer),
  },
  {
    shows: ({ type, name }) => type === 'blob' && hasExtension(name, ['epub']),
    Component: viewerPart(async () => (await import('./book/book-viewer.tsx')).BookViewer),
  },
  {
    shows: ({ name }) => hasExtension(name, ['glb', 'gltf', 'stl', 'obj']),
    Component: viewerPart(async () => (await import('./model/model-viewer.tsx')).ModelViewer),
  },
  {
    shows: ({ name }) => archiveNameOf(name) !== null,
    Component: viewerPart(async () => (await import('./archive/archive-viewer.tsx')).ArchiveViewer),
  },
  {
    // The server gives texts above 10 MiB the type `blob` (contract 3.4). Some viewers read such files themselves, also
    // where the name alone does not say that they are texts.
    shows: ({ type, name, sizeBytes }) =>
      isTextFile(name, type, sizeBytes)
        ? textRenderingOf(name) !== undefined
        : type === 'blob' && textRenderingOf(name)?.FileComponent !== undefined,
    Component: viewerPart(async () => (await import('./text/rendering-viewer.tsx')).RenderingViewer),
  },
  plainTextViewer,
]

/** Returns the viewer of a file, or undefined when the file can only be downloaded. */
export const viewerOf = (file: ViewedFile): Viewer | undefined => viewers.find(({ shows }) => shows(file))

/** Returns true for a file with a viewer that shows more than its text: a Markdown document, a table, a model. */
export function isShownAsDocument(file: ViewedFile): boolean {
  const viewer = viewerOf(file)
  return viewer !== undefined && viewer !== plainTextViewer
}
