import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { ViewerProps } from '../viewer.ts'
import { TextLoader } from './text-loader.tsx'
import styles from './text.module.css'

/** The part of a text that is shown, in bytes (ux 2.7). The editor shows whole texts. */
const maxShownBytes = 1024 * 1024

/** Shows the beginning of a text that is not edited. */
export const TextViewer = ({ file, onBroken }: Pick<ViewerProps, 'file' | 'onBroken'>) => (
  <TextLoader file={file} maxBytes={maxShownBytes} onBroken={onBroken}>
    {(text) => (
      <ScrollArea className={styles.scroller} label={visibleName(file.name)}>
        <pre className={styles.text} dir="auto">
          {text}
        </pre>
      </ScrollArea>
    )}
  </TextLoader>
)
