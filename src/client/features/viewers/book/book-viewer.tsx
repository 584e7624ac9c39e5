import { useRef } from 'react'
import { Lock } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import type { ViewerProps } from '../viewer.ts'
import { BookChapter } from './book-chapter.tsx'
import { BookReader } from './book-reader.tsx'
import type { Book } from './book.ts'
import { useBook } from './use-book.ts'
import styles from './book.module.css'

/** Shows a book in the format EPUB. The quick look shows its first chapter, which often is the cover. */
export function BookViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const book = useBook(file, onBroken)
  if (book === null) return <ViewerLoading />
  if (book === 'encrypted')
    return <EmptyState icon={Lock} text={t('viewer.encryptedBook')} note={t('viewer.encryptedBookNote')} />
  if (isQuick) return <FirstChapter name={file.name} book={book} />
  return <BookReader key={file.versionKey} file={file} book={book} />
}

const start = { chapter: 0, target: { kind: 'element', index: 0 } } as const

function FirstChapter({ name, book }: { readonly name: string; readonly book: Book }) {
  const area = useRef<HTMLElement>(null)
  return (
    <ViewerFrame part="book" look="document">
      <ScrollArea ref={area} className={styles.page} label={visibleName(name)}>
        <BookChapter
          book={book}
          place={start}
          area={area}
          onPlace={() => undefined}
          onFollow={() => undefined}
        />
      </ScrollArea>
    </ViewerFrame>
  )
}
