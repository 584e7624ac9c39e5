import type { ViewerProps } from '../viewer.ts'
import { PlainText } from './plain-text.tsx'
import { TextLoader } from './text-loader.tsx'

/** The part of a text that is shown, in bytes (ux 2.7). The editor shows whole texts. */
const maxShownBytes = 1024 * 1024

/** Shows the beginning of a text that is not edited. */
export const TextViewer = ({ file, onBroken }: Pick<ViewerProps, 'file' | 'onBroken'>) => (
  <TextLoader file={file} maxBytes={maxShownBytes} onBroken={onBroken}>
    {(text) => <PlainText name={file.name} text={text} />}
  </TextLoader>
)
