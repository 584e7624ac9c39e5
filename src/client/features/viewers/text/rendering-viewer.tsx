import { maxRenderedLength, textRenderingOf } from '../text-renderings.ts'
import type { ViewerProps } from '../viewer.ts'
import { TextLoader } from './text-loader.tsx'

/** Shows the rendering of a text where there is no editor. */
export function RenderingViewer({ file, path, onBroken }: Pick<ViewerProps, 'file' | 'path' | 'onBroken'>) {
  const rendering = textRenderingOf(file.name)
  if (rendering === undefined) return null
  if (rendering.FileComponent !== undefined)
    return <rendering.FileComponent file={file} onBroken={onBroken} />
  return (
    <TextLoader file={file} maxBytes={maxRenderedLength} prepare={rendering.prepare} onBroken={onBroken}>
      {(text) => <rendering.Component name={file.name} text={text} path={path} />}
    </TextLoader>
  )
}
