import { useMemo, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { ListBox } from 'react-aria-components/ListBox'
import { useQuery } from '../../api/use-query.ts'
import { pageContextOf } from '../../actions/page-context.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, location, navigate, withBase } from '../../router/router.ts'
import { closePrompt, prompt } from '../../state/prompt.ts'
import { recentPlaces } from '../../state/recent-places.ts'
import { latestOf } from '../../state/saved-recent-places.ts'
import { may } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { keyLabel } from '../../ui/keyboard/key-labels.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { commandOffer, CommandOption } from './go-to-file/command-option.tsx'
import { FirstChoice } from './go-to-file/first-choice.ts'
import { createHitMarks } from './go-to-file/hit-marks.ts'
import { HitOption } from './go-to-file/hit-option.tsx'
import { childrenOf, useOpenSubfoldersQuery } from './palette/folder-items.ts'
import { usePointerMoves } from './palette/use-pointer-moves.ts'
import { PaletteField } from './palette-field.tsx'
import {
  type FileHit,
  type FileHits,
  maxHits,
  type SearchFailure,
  useFileHits,
} from './go-to-file/use-file-hits.ts'
import styles from './palette.module.css'

/**
 * Shows a field for a part or the letters of a file's name, and the files and folders of all folders that have such a name.
 * A text that begins with `>` goes to the commands, as in other programs.
 */
export function GoToFilePrompt({ text: first = '' }: { readonly text?: string | undefined }) {
  const [text, setText] = useState(first)
  const [hasMoved, setMoved] = useState(false)
  const { places, isNear } = useOfferedPlaces()
  const { folder: open } = pageContextOf(useStore(location), may)
  const found = useFileHits(text, places, { open, onOpen: openHit, onNoHits: () => openPalette(text) })
  const { state, hits, failure } = found
  const change = (typed: string): void => {
    if (typed.startsWith('>')) return openPalette(typed.slice(1).trimStart())
    setText(typed)
    setMoved(false)
  }
  const hasNoHit = state === 'done' && hits.length === 0
  const pointer = usePointerMoves(text)
  const marksOf = createHitMarks(found.text)
  return (
    <Dialog title={t('action.go-to-file')} isTitleHidden width="wide" onClose={closePrompt}>
      <Autocomplete inputValue={text} onInputChange={change}>
        <PaletteField
          label={t('palette.fileLabel')}
          isFirstChosen={!hasMoved}
          onMove={() => setMoved(true)}
          onEnter={found.openFirst}
          onCtrlEnter={(key) => openInNewTab(hits.find(({ path }) => path === key) ?? hits[0])}
          onSwitch={{ key: 'ctrl+k', run: () => openPalette(text) }}
        />
        <div className={styles.files} {...pointer}>
          {state === 'idle' && hits.length > 0 && (
            <p className={styles.title}>{t(isNear ? 'palette.near' : 'palette.recent')}</p>
          )}
          {hasNoHit && (
            <p className={styles.title}>
              <output>{t('palette.noFile', { text: found.text })}</output>
            </p>
          )}
          {failure !== null && <Failure failure={failure} onRetry={found.retry} />}
          <FirstChoice value={!hasMoved}>
            <ListBox<FileHit | typeof commandOffer>
              aria-label={t('palette.files')}
              items={hasNoHit ? [commandOffer] : hits}
              shouldFocusWrap
              // The library draws an option again only when its hit or one of these values has changed.
              dependencies={[found.text]}
              className={styles.items ?? ''}
              renderEmptyState={() => <output className={styles.nothing}>{emptyText(state)}</output>}
            >
              {(hit) =>
                'path' in hit ? (
                  <HitOption
                    id={hit.path}
                    hit={hit}
                    marksOf={marksOf}
                    onOpen={openHit}
                    className={styles.item}
                  />
                ) : (
                  <CommandOption {...hit} text={found.text} onOpen={openPalette} className={styles.item} />
                )
              }
            </ListBox>
          </FirstChoice>
          {state === 'idle' && isNear && hits.length > 0 && (
            <p className={styles.nothing}>{t('palette.fileHint')}</p>
          )}
          {found.unsearched > 0 && (
            <p className={styles.nothing}>
              <output>{t('search.unsearched', { count: found.unsearched })}</output>
            </p>
          )}
          {found.isCut && (
            <p className={styles.nothing}>
              <output>{t('palette.best', { count: hits.length })}</output>
            </p>
          )}
        </div>
      </Autocomplete>
      <p className={styles.help}>
        {t('palette.keys', {
          open: keyLabel('Enter'),
          newTab: keyLabel('ctrl+Enter'),
          close: keyLabel('Escape'),
        })}
        {' · '}
        {t('palette.commands', { key: keyLabel('ctrl+k') })}
      </p>
    </Dialog>
  )
}

/** Opens the command palette with the text that was typed here. */
function openPalette(text: string): void {
  const { folder, selected } = pageContextOf(location.get(), may)
  prompt.set({ kind: 'palette', folder, entries: selected, text })
}

type FailureProps = { readonly failure: SearchFailure; readonly onRetry: () => void }

const Failure = ({ failure: { sentence, canRetry }, onRetry }: FailureProps) => (
  <p className={styles.failed}>
    <output>{sentence}</output>
    {canRetry && <Button onClick={onRetry}>{t('buttons.retry')}</Button>}
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

function openHit({ path, isFolder }: FileHit): void {
  closePrompt()
  navigate(filesUrl(path, isFolder))
}

function openInNewTab(hit: FileHit | undefined): void {
  if (hit === undefined) return
  closePrompt()
  window.open(withBase(filesUrl(hit.path, hit.isFolder)), '_blank', 'noopener')
}

function emptyText(state: FileHits['state']): string {
  if (state === 'running') return t('palette.searching')
  return state === 'idle' ? t('palette.fileHint') : ''
}
