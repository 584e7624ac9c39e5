import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { X } from 'lucide'
import { useQuery } from '../../api/use-query.ts'
import { nameOf, childOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { config } from '../../api/config.ts'
import { ownLinks } from '../../api/link-lists.ts'
import { useRelativeTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { EntryPicture } from '../../listing/grid/entry-picture.tsx'
import { thumbnailOf } from '../../operations/thumbnails/thumbnail-address.ts'
import { detailsPane } from '../../state/device/details-pane.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { useMay } from '../../state/session.ts'
import { FileName } from '../../ui/file-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useKeyScope } from '../../ui/keyboard/use-key-scope.ts'
import { useSettled } from '../../ui/measuring/use-settled.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { ChecksumFacts } from './checksum-facts.tsx'
import { CopyButton } from './fact.tsx'
import { FactsList } from './facts-list.tsx'
import { useChecksumPath } from './use-checksum-path.ts'
import styles from './details-pane.module.css'

/** The selected entries of a folder, which the pane describes, or the folder itself when none is selected. */
type Described = { readonly folder: Path; readonly selected: readonly ListedEntry[] }

type DetailsPaneProps = Described & {
  /** Gives the focus back to the list when the pane closes around it. */
  readonly onFocusLost: () => void
}

/**
 * Renders what is known about the selected entries beside the list, which keeps the focus. It follows the selection after the
 * selection has rested for a moment, so that a held arrow key requests nothing on its way.
 */
export function DetailsPane({ folder, selected, onFocusLost }: DetailsPaneProps) {
  const pane = useRef<HTMLElement>(null)
  const now = { folder, selected }
  const shown = useSettled(now, { key: keyOf(now), ms: restMs })
  useFocusGivenBack(pane, onFocusLost)
  useKeyScope('panel', ({ key, target }) => {
    if (key !== 'Escape' || !(target instanceof Node && pane.current?.contains(target))) return false
    detailsPane.set('off')
    return true
  })
  return (
    <section
      ref={pane}
      className={styles.pane}
      aria-label={t('details.title')}
      data-part="details"
      data-region
    >
      <Header {...shown} />
      <Preview {...shown} />
      <FactsList key={keyOf(shown)} folder={shown.folder} entries={shown.selected} isWhole={false} />
      <Links {...shown} />
      <Checksums {...shown} />
    </section>
  )
}

function Header({ folder, selected }: Described) {
  const [entry] = selected
  const count = selected.length
  const name = entry?.name ?? (nameOf(folder) || t('sidebar.myFiles'))
  return (
    <header className={styles.header}>
      {count > 1 ? (
        <h2 className={styles.name}>{t('listing.selected', { count })}</h2>
      ) : (
        <h2 className={styles.name} title={visibleName(name)}>
          <FileName name={name} isWhole />
        </h2>
      )}
      <IconButton icon={X} label={t('details.close')} onClick={() => detailsPane.set('off')} />
    </header>
  )
}

function Preview({ folder, selected }: Described) {
  const mayRead = useMay()('download')
  const [entry, ...others] = selected
  if (others.length > 0) return null
  const shown = entry ?? { name: nameOf(folder), isFolder: true, type: 'blob' as const }
  const address =
    entry !== undefined && mayRead && !entry.isFolder
      ? thumbnailOf(entry.folder ?? folder, entry, 'tile')
      : ''
  return (
    <div className={styles.preview} data-has-image={address !== '' || undefined}>
      <EntryPicture entry={shown} address={address} className={styles.picture} />
    </div>
  )
}

/** Renders the links to the described entry that the user has created. The list has them for its marks already. */
function Links({ folder, selected }: Described) {
  const may = useMay()
  const { data } = useQuery({
    ...ownLinks,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: may('share') && may('download'),
  })
  const [entry, ...others] = selected
  const path = entry === undefined ? folder : childOf(entry.folder ?? folder, entry.name)
  const links = (data ?? []).filter((link) => pathOf(link.path.replace(/\/$/, '') || '/') === path)
  if (others.length > 0 || links.length === 0) return null
  return (
    <Section title={t('details.links')}>
      <ul className={styles.links}>
        {links.map((link) => (
          <Link key={link.hash} link={link} />
        ))}
      </ul>
    </Section>
  )
}

function Link({ link: { hash, expire } }: { readonly link: ShareResource }) {
  const url = `${location.origin}${config().BaseURL}/share/${hash}`
  const ends = useRelativeTime(expire * 1000)
  return (
    <li className={styles.link}>
      <span className={styles.address}>
        <bdi dir="ltr">{`/share/${hash}`}</bdi>
        <span className={styles.end}>
          {expire === 0 ? t('share.permanent') : t('share.ends', { time: ends })}
        </span>
      </span>
      <CopyButton text={url} label={t('share.copy.none')} />
    </li>
  )
}

/** Renders the checksums of one selected file, folded until they are wanted. */
function Checksums({ folder, selected }: Described) {
  const path = useChecksumPath(folder, selected)
  const [entry] = selected
  if (path === null || entry === undefined) return null
  return (
    <details className={styles.fold}>
      <summary>{t('details.checksums')}</summary>
      <dl className={styles.facts}>
        <ChecksumFacts key={path} path={path} modifiedMs={entry.modifiedMs} />
      </dl>
    </details>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <h3 className={styles.title}>{title}</h3>
    {children}
  </section>
)

/** The time that the selection rests before it is described, in milliseconds: longer than the repetition of keys. */
const restMs = 150

/** Returns a text that differs when other entries are described, or another version of them. */
const keyOf = ({ folder, selected }: Described): string =>
  [
    folder,
    selected.length,
    ...selected.map(({ folder: own, name, sizeBytes, modifiedMs }) =>
      [own, name, sizeBytes, modifiedMs].join('\0'),
    ),
  ].join('\0')

/** Calls a function when the pane closes while it contains the focus. */
function useFocusGivenBack(pane: { readonly current: HTMLElement | null }, onFocusLost: () => void): void {
  const giveBack = useEffectEvent(onFocusLost)
  useLayoutEffect(() => {
    const element = pane.current
    return () => {
      if (element?.contains(document.activeElement) === true) giveBack()
    }
  }, [pane])
}
