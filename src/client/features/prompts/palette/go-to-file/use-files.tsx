import { type ReactNode, useMemo } from 'react'
import { Search } from 'lucide'
import { useQuery } from '../../../../api/use-query.ts'
import { pageContextOf } from '../../../../actions/page-context.ts'
import { t } from '../../../../i18n/translate.ts'
import { filesUrl, location, navigate, withBase } from '../../../../router/router.ts'
import { closePrompt } from '../../../../state/prompt.ts'
import { recentPlaces } from '../../../../state/recent-places.ts'
import { latestOf } from '../../../../state/saved-recent-places.ts'
import { may } from '../../../../state/session.ts'
import { useStore } from '../../../../state/store.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { keyLabel } from '../../../../ui/keyboard/key-labels.ts'
import { childrenOf, useOpenSubfoldersQuery } from '../folder-items.ts'
import { commandPrefix, type PaletteContent, type PaletteOption } from '../palette-content.ts'
import { createHitMarks, type HitMarks } from './hit-marks.ts'
import { HitContent, nameTextOf } from './hit-content.tsx'
import { type FileHit, type FileHits, maxHits, useFileHits } from './use-file-hits.ts'
import styles from '../palette.module.css'

/**
 * Returns what the palette shows for files: the files and folders of all folders whose names have the text or its letters, and
 * the recent places without a text. `continueWith` puts another text into the field.
 */
export function useFiles(text: string, continueWith: (text: string) => void): PaletteContent {
  const { places, isNear } = useOfferedPlaces()
  const { folder: open } = pageContextOf(useStore(location), may)
  const findCommand = (): void => continueWith(`${commandPrefix}${text}`)
  const found = useFileHits(text, places, { open, onOpen: openHit, onNoHits: findCommand })
  const { state, hits } = found
  const hasNoHit = state === 'done' && hits.length === 0
  const marksOf = createHitMarks(found.text)
  const options = hasNoHit
    ? [commandOffer(found.text, findCommand)]
    : hits.map((hit) => optionOf(hit, marksOf(hit.path)))
  const hasRecent = state === 'idle' && hits.length > 0
  const title = hasRecent ? t(isNear ? 'palette.near' : 'palette.recent') : null
  return {
    title: t('action.go-to-file'),
    fieldLabel: t('palette.fileLabel'),
    listLabel: t('palette.files'),
    sections: options.length === 0 ? [] : [{ id: 'files', title, options }],
    above: <Outcome found={found} hasNoHit={hasNoHit} />,
    below: <Notes found={found} hasHint={hasRecent && isNear} />,
    emptyText: emptyText(state),
    help: `${t('palette.keys', {
      open: keyLabel('Enter'),
      newTab: keyLabel('ctrl+Enter'),
      close: keyLabel('Escape'),
    })} · ${t('palette.commands', { key: keyLabel('ctrl+k') })}`,
    chooseFirst: found.openFirst,
  }
}

const optionOf = (hit: FileHit, marks: HitMarks): PaletteOption => ({
  id: hit.path,
  label: nameTextOf(hit.path),
  content: <HitContent hit={hit} marks={marks} />,
  choose: () => openHit(hit),
  openInNewTab: () => {
    closePrompt()
    window.open(withBase(filesUrl(hit.path, hit.isFolder)), '_blank', 'noopener')
  },
})

/** Returns the only option while no file matches: it finds the text among the commands. */
function commandOffer(text: string, choose: () => void): PaletteOption {
  const label = t('palette.findCommand', { text })
  const content = (
    <>
      <Icon icon={Search} size={16} />
      <span>{label}</span>
    </>
  )
  return { id: 'commands', label, content, choose }
}

function openHit({ path, isFolder }: FileHit): void {
  closePrompt()
  navigate(filesUrl(path, isFolder))
}

type OutcomeProps = { readonly found: ReturnType<typeof useFileHits>; readonly hasNoHit: boolean }

/** Says above the list that nothing was found, or that the search has failed. */
const Outcome = ({ found: { text, failure, retry }, hasNoHit }: OutcomeProps) => (
  <>
    {hasNoHit && (
      <p className={styles.title}>
        <output>{t('palette.noFile', { text })}</output>
      </p>
    )}
    {failure !== null && (
      <p className={styles.failed}>
        <output>{failure.sentence}</output>
        {failure.canRetry && <Button onClick={retry}>{t('buttons.retry')}</Button>}
      </p>
    )}
  </>
)

/** Says below the list how to search, and what it does not show. */
const Notes = ({ found, hasHint }: { readonly found: FileHits; readonly hasHint: boolean }) => (
  <>
    {hasHint && <p className={styles.nothing}>{t('palette.fileHint')}</p>}
    {found.unsearched > 0 && <Note>{t('search.unsearched', { count: found.unsearched })}</Note>}
    {found.isCut && <Note>{t('palette.best', { count: found.hits.length })}</Note>}
  </>
)

const Note = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.nothing}>
    <output>{children}</output>
  </p>
)

/**
 * Returns the recent places without the one that is open. While there are none, returns the first subfolders of the folder
 * on screen, and `isNear` is true.
 */
function useOfferedPlaces(): { readonly places: readonly FileHit[]; readonly isNear: boolean } {
  const recent = useOtherPlaces()
  const page = useStore(location)
  const { folder } = pageContextOf(page, may)
  const isNear = recent.length === 0 && page.screen === 'files'
  const { data } = useQuery({ ...useOpenSubfoldersQuery(folder), enabled: isNear })
  const near = useMemo(
    () =>
      childrenOf(folder, data)
        .slice(0, maxHits)
        .map((path) => ({ path, isFolder: true, facts: null })),
    [folder, data],
  )
  return { places: isNear ? near : recent, isNear }
}

/** Returns the recent places without the one that is open. */
function useOtherPlaces(): readonly FileHit[] {
  const { screen, path: open } = useStore(location)
  const places = useStore(recentPlaces)
  return useMemo(
    () =>
      latestOf(places)
        .filter(({ path }) => screen !== 'files' || path !== open)
        .map((place) => ({ ...place, facts: null })),
    [places, screen, open],
  )
}

function emptyText(state: FileHits['state']): string {
  if (state === 'running') return t('palette.searching')
  return state === 'idle' ? t('palette.fileHint') : ''
}
