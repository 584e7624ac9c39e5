import { maxRenderedLength, textFormOf } from '../text-forms.ts'
import type { ViewerProps } from '../viewer.ts'
import { TextLoader } from './text-loader.tsx'

/** Shows a text in its other form where the editor is not shown. */
export function FormViewer({ file, path, onBroken }: Pick<ViewerProps, 'file' | 'path' | 'onBroken'>) {
  const form = textFormOf(file.name)
  if (form === undefined) return null
  if (form.FileComponent !== undefined) return <form.FileComponent file={file} onBroken={onBroken} />
  return (
    <TextLoader file={file} maxBytes={maxRenderedLength} prepare={form.prepare} onBroken={onBroken}>
      {(text) => <form.Component name={file.name} text={text} path={path} />}
    </TextLoader>
  )
}
