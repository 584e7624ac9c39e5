import { ArrowDown, ArrowUp, CircleAlert, EllipsisVertical, Pin as PinIcon, PinOff, X } from 'lucide'
import { useQuery } from '../../api/use-query.ts'
import { nameOf, root, type Path } from '../../../shared/domain/path.ts'
import { call, CallError } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import { textOfPlace } from '../../paths/names-of-place.ts'
import { Link } from '../../router/link.tsx'
import { filesUrl } from '../../router/router.ts'
import { unreachablePath } from '../../state/open-folder.ts'
import { pinned } from '../../state/pins.ts'
import { movePinnedFolder, pinFolder, unpinFolder } from '../../state/saved-pins.ts'
import { useStore } from '../../state/store.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import styles from './sidebar-parts.module.css'

/** Renders the user's pinned folders, and the button that pins the open folder, unless the folder could not be opened. */
export function Pins({ open }: { readonly open: Path }) {
  const { folders } = useStore(pinned)
  const isMissing = useStore(unreachablePath) === open
  return (
    <section className={styles.section} aria-labelledby="pins">
      <div className={styles.head}>
        <h2 className={styles.heading} id="pins">
          {t('pins.label')}
        </h2>
        {open !== root && !isMissing && <PinButton open={open} isPinned={folders.includes(open)} />}
      </div>
      {folders.length === 0 && <p className={styles.hint}>{t('pins.none')}</p>}
      <ul>
        {folders.map((folder, at) => (
          <Pin
            key={folder}
            folder={folder}
            isFirst={at === 0}
            isLast={at === folders.length - 1}
            isOpen={folder === open}
          />
        ))}
      </ul>
    </section>
  )
}

function PinButton({ open, isPinned }: { readonly open: Path; readonly isPinned: boolean }) {
  return (
    <IconButton
      icon={isPinned ? PinOff : PinIcon}
      label={t(isPinned ? 'pins.unpinOpen' : 'pins.pinOpen')}
      className={styles.small}
      onClick={() => (isPinned ? unpinFolder : pinFolder)(open)}
    />
  )
}

type PinProps = {
  readonly folder: Path
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly isOpen: boolean
}

function Pin({ folder, isFirst, isLast, isOpen }: PinProps) {
  const name = visibleName(nameOf(folder))
  const isGone = useIsGone(folder)
  return (
    <li className={styles.pin}>
      <Link
        to={filesUrl(folder, true)}
        className={classNames(styles.row, isGone && styles.gone)}
        aria-current={isOpen ? 'page' : undefined}
        title={textOfPlace(folder)}
        draggable={false}
        data-drop-folder={isGone ? undefined : folder}
      >
        <Icon icon={isGone ? CircleAlert : PinIcon} size={16} className={styles.picture} />
        <bdi className={styles.name}>{name}</bdi>
        {isGone && <span className={styles.note}>{t('pins.gone')}</span>}
      </Link>
      {isGone ? (
        <IconButton
          icon={X}
          label={t('pins.unpin', { name })}
          className={styles.small}
          onClick={() => unpinFolder(folder)}
        />
      ) : (
        <MenuButton
          icon={EllipsisVertical}
          label={t('pins.menu', { name })}
          className={styles.small ?? ''}
          entries={[
            {
              id: 'up',
              label: t('pins.up'),
              icon: ArrowUp,
              isDisabled: isFirst,
              run: () => movePinnedFolder(folder, -1),
            },
            {
              id: 'down',
              label: t('pins.down'),
              icon: ArrowDown,
              isDisabled: isLast,
              run: () => movePinnedFolder(folder, 1),
            },
            { id: 'unpin', label: t('action.unpin'), icon: PinOff, run: () => unpinFolder(folder) },
          ]}
        />
      )}
    </li>
  )
}

/**
 * Returns true when a pinned folder no longer exists or the user may no longer open it. The call for the disk usage is
 * used, because it answers without listing the folder.
 */
function useIsGone(folder: Path): boolean {
  const { error } = useQuery({
    queryKey: ['pinned folder', folder],
    queryFn: async ({ signal }) => {
      await call('usage.get', { path: folder, isFolder: true, signal })
      return true
    },
  })
  return error instanceof CallError && [403, 404].includes(error.status)
}
