import { Volume2 } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import type { Neighbour } from '../viewer.ts'
import { playNeighbour } from './shared-audio.ts'
import styles from './media.module.css'

/** The number of files before and after the open one that the list shows. The list moves on with the open file. */
const shownOnEachSide = 250

/** Renders the audio files of the folder. A click plays one. */
export function Playlist({ files }: { readonly files: readonly Neighbour[] }) {
  const own = files.findIndex(({ isOpen }) => isOpen)
  const first = Math.max(0, own - shownOnEachSide)
  const shown = files.slice(first, own + shownOnEachSide + 1)
  return (
    <ScrollArea label={t('viewer.playlist')} className={styles.playlist}>
      <ol>
        {shown.map((file, index) => (
          <li key={file.name} ref={file.isOpen ? showInList : null}>
            <button
              type="button"
              className={styles.entry}
              aria-current={file.isOpen || undefined}
              onClick={() => playNeighbour(file)}
            >
              <span className={styles.number}>
                {file.isOpen ? <Icon icon={Volume2} size={16} /> : first + index + 1}
              </span>
              <FileName name={file.name} />
            </button>
          </li>
        ))}
      </ol>
    </ScrollArea>
  )
}

const showInList = (line: HTMLLIElement | null): void => line?.scrollIntoView({ block: 'nearest' })
