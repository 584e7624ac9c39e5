import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { ListBox } from 'react-aria-components/ListBox'
import { root } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, navigate, withBase } from '../../router/router.ts'
import { closePrompt } from '../../state/prompt.ts'
import { recentPlaces } from '../../state/recent-places.ts'
import { foldersOf } from '../../state/saved-recent-places.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { createHitMarks } from './go-to-file/hit-marks.ts'
import { HitOption } from './go-to-file/hit-option.tsx'
import { PaletteField } from './palette-field.tsx'
import { type FileHit, type FileHits, useFileHits } from './go-to-file/use-file-hits.ts'
import styles from './palette.module.css'

/** Shows a field for a part or the letters of a file's name, and the files and folders of all folders that have such a name. */
export function GoToFilePrompt() {
  const [text, setText] = useState('')
  const { text: found, state, hits, isCut, failure, openFirst, retry } = useFileHits(text, openHit)
  const recent = foldersOf(useStore(recentPlaces)).filter((path) => path !== root)
  const shown =
    state === 'idle' ? recent.map((path): FileHit => ({ path, isFolder: true, facts: null })) : hits
  const marksOf = createHitMarks(found)
  return (
    <Dialog title={t('action.go-to-file')} isTitleHidden width="wide" onClose={closePrompt}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <PaletteField
          label={t('palette.fileLabel')}
          onEnter={openFirst}
          onCtrlEnter={(key) => openInNewTab(shown.find(({ path }) => path === key) ?? shown[0])}
          onHeldText={setText}
        />
        {state === 'idle' && shown.length > 0 && <p className={styles.title}>{t('palette.recent')}</p>}
        <ListBox
          aria-label={t('palette.files')}
          items={shown}
          // The library draws an option again only when its hit or one of these values has changed.
          dependencies={[found]}
          className={styles.items ?? ''}
          renderEmptyState={() => <output className={styles.nothing}>{emptyText(state)}</output>}
        >
          {(hit) => (
            <HitOption id={hit.path} hit={hit} marksOf={marksOf} onOpen={openHit} className={styles.item} />
          )}
        </ListBox>
      </Autocomplete>
      {isCut && (
        <p className={styles.nothing}>
          <output>{t('palette.best', { count: hits.length })}</output>
        </p>
      )}
      {failure !== null && (
        <p className={styles.failed}>
          <output>{failure.sentence}</output>
          {failure.canRetry && <Button onClick={retry}>{t('buttons.retry')}</Button>}
        </p>
      )}
    </Dialog>
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
  if (state === 'done') return t('palette.noFile')
  return state === 'idle' ? t('palette.fileHint') : ''
}
