import { useState } from 'react'
import { Folder, Pin } from 'lucide'
import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { textOfPlace } from '../../../paths/names-of-place.ts'
import { pinned } from '../../../state/pins.ts'
import { recentPlaces } from '../../../state/recent-places.ts'
import { foldersOf } from '../../../state/saved-recent-places.ts'
import { useStore } from '../../../state/store.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './folder-picker.module.css'

type QuickTargetsProps = {
  /** The chosen folder. */
  readonly at: Path
  readonly isExcluded: (folder: Path) => boolean
  readonly onChoose: (folder: Path) => void
}

/** The number of targets fits in two lines of the dialog. */
const maxTargets = 5

/**
 * Renders buttons for the pinned folders and the folders that the user opened most recently. The buttons stay the same
 * while the dialog is open, so that its height stays, too.
 */
export function QuickTargets({ at, isExcluded, onChoose }: QuickTargetsProps) {
  const pins = useStore(pinned).folders
  const recent = foldersOf(useStore(recentPlaces))
  const [targets] = useState(() =>
    [...new Set([...pins, ...recent])]
      .filter((path) => path !== at && !isExcluded(path))
      .slice(0, maxTargets),
  )
  if (targets.length === 0) return null
  return (
    <div>
      <p className={styles.caption} id="quick-targets">
        {t('prompt.transfer.targets')}
      </p>
      <ul className={styles.targets} aria-labelledby="quick-targets">
        {targets.map((path) => (
          <li key={path}>
            <button
              type="button"
              className={styles.target}
              title={textOfPlace(path)}
              aria-current={path === at}
              onClick={() => onChoose(path)}
            >
              <Icon icon={pins.includes(path) ? Pin : Folder} size={14} />
              <FileName name={nameOf(path) || t('sidebar.myFiles')} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
